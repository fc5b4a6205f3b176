package brain

// An InfoKey describes a key of INFO, which Options.Set and Engine.Set take.
type InfoKey struct {
	Name     string // in lower case
	Unit     string
	Min, Max int64 // values outside are moved to the nearer end, or refused if the key is rule; both 0 if the value is a text
	Doc      string
}

// InfoKeys lists the keys of INFO that are known.
func InfoKeys() []InfoKey {
	var list []InfoKey
	for _, t := range infoKeys {
		list = append(list, InfoKey{t.key, t.unit, t.min, t.max, t.doc})
	}
	return list
}
