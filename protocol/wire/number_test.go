package wire

import "testing"

func TestNumbersWithAFraction(t *testing.T) {
	for text, want := range map[string]string{
		"500": "500", "500.0": "500", "500.": "500", "500.99": "500", "-1.5": "-1", "+7.0": "+7", "0.5": "0",
		".5": ".5", "-.5": "-.5", "": "", ".": ".", "--1.0": "--1.0", "5.0.0": "5.0.0", "5,0": "5,0", "5.0s": "5.0s", "a.0": "a.0", "1e3.0": "1e3.0", "5. 0": "5. 0", "0x1.0": "0x1.0",
	} {
		if got := WithoutFraction(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"15": 15, "15.0": 15, " 15.000 ": 15, "-3.": -3, "15.5": -1, "15.0x": -1, ".0": -1, "": -1, "15 0": -1, "15.0.0": -1} {
		got, err := ParseNumber(text)
		if want == -1 && err == nil || want != -1 && (err != nil || got != want) {
			t.Errorf("%q: got %d, %v", text, got, err)
		}
	}
}
