package wire

import "testing"

func TestQuote(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{" a \"b\"\t", 10, `"a \"b\""`},
		{"abcdef", 6, `"abcdef"`},
		{"abcdef", 3, `"abc..."`},
		{"aé", 3, `"a\u00e9"`},
		{"aéb", 2, `"a..."`},
		{"aéb", 3, `"a\u00e9..."`},
		{"é", 1, `"..."`},
		{"\xff\xfe\xfd", 2, `"\xff\xfe..."`},
	} {
		if got := Quote(tt.text, tt.most); got != tt.want {
			t.Errorf("%q in %d bytes: %s, want %s", tt.text, tt.most, got, tt.want)
		}
	}
}
