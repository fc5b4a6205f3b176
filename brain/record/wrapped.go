package record

import (
	"html"
	"regexp"
	"strings"
)

// Texts of web pages, mail and forums hold games within tags and signs of quotation.

var (
	htmlBegin = regexp.MustCompile(`(?i)^\s*<(?:!doctype|html|head|body|div|p|pre|table|tr|td|span|a|br|ul|ol|li|b|i|em|strong|code|blockquote|font|center|h[1-6])\b[^>]*>`)
	htmlLink  = regexp.MustCompile(`(?is)<a\s[^>]*href\s*=\s*["']([^"']*)["'][^>]*>.*?</a\s*>`)
	htmlGone  = regexp.MustCompile(`(?is)<(?:script|style|head)\b.*?</(?:script|style|head)\s*>|<!--.*?-->|<!doctype[^>]*>`)
	htmlCell  = regexp.MustCompile(`(?i)</t[dh]\s*>\s*<t[dh]\b[^>]*>`)
	htmlRow   = regexp.MustCompile(`(?i)<tr\b[^>]*>\s*`)
	htmlLine  = regexp.MustCompile(`(?i)</?(?:tr|table|tbody|thead|p|div|br|li|ul|ol|pre|blockquote|h[1-6])\b[^>]*>`)
	rowGap    = regexp.MustCompile(`\n\s*\n\| `)
	htmlTag   = regexp.MustCompile(`(?s)</?[A-Za-z][^>]*>`)
	forumTag  = regexp.MustCompile(`(?i)\[/?(?:quote|code|pre|b|i|u|size|spoiler|tt)(?:=[^\]]*)?\]`)
)

// emphasis takes out the signs of Markdown around words.
var emphasis = strings.NewReplacer("**", "", "`", "", "__", "")

// maxWrapped is how many bytes such a text has at most.
const maxWrapped = 1 << 20

// recognized says which format a text has, and returns what is to be read of it: all, or what a page of the
// web, a quotation or a text of a forum holds.
func recognized(s string) (Format, string) {
	format := formatOf(s)
	if format != UnknownFormat && format != Link || len(s) > maxWrapped {
		return format, s
	}
	if plain, ok := unwrapped(s); ok {
		if inner := formatOf(plain); inner != UnknownFormat {
			return inner, plain
		}
	}
	return format, s
}

// unwrapped returns what such a text holds, if s is one.
func unwrapped(s string) (plain string, ok bool) {
	if htmlBegin.MatchString(s) {
		s = htmlGone.ReplaceAllString(s, "")
		s = htmlLink.ReplaceAllStringFunc(s, func(link string) string {
			m := htmlLink.FindStringSubmatch(link)
			if address := html.UnescapeString(m[1]); isLinkText(address) && !isPlainAddress(address) {
				return "\n" + html.EscapeString(address) + "\n"
			}
			return link
		})
		s = htmlCell.ReplaceAllString(s, " | ")
		s = htmlLine.ReplaceAllString(htmlRow.ReplaceAllString(s, "\n| "), "\n")
		return html.UnescapeString(rowGap.ReplaceAllString(htmlTag.ReplaceAllString(s, ""), "\n| ")), true
	}
	if plain := emphasis.Replace(s); plain != s {
		return plain, true
	}
	if forumTag.MatchString(s) && strings.Contains(s, "[/") {
		return forumTag.ReplaceAllString(s, "\n"), true
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		rest := strings.TrimLeft(trimmed, "> ")
		if trimmed != "" && !strings.HasPrefix(trimmed, ">") {
			return "", false
		}
		b.WriteString(rest + "\n")
	}
	return b.String(), strings.Contains(s, ">")
}

// isPlainAddress reports whether an address has no game in it.
func isPlainAddress(address string) bool {
	_, err := readLink(address, textSize, textSize)
	return err != nil
}
