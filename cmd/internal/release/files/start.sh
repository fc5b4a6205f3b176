#!/bin/sh
# Starts the board and opens it in the browser.
file=$0
while [ -h "$file" ]; do # this file may be reached by links; macOS before 12.3 has no readlink -f
	link=$(readlink "$file")
	case $link in
	/*) file=$link ;;
	*) file=$(dirname "$file")/$link ;;
	esac
done
folder=$(dirname "$file")
# macOS asks for this file, and would refuse the programs of the same download.
if command -v xattr >/dev/null; then
	for program in boardui pbrain-tengen; do
		xattr -d com.apple.quarantine "$folder/$program" 2>/dev/null
	done
fi
exec "$folder/boardui"
