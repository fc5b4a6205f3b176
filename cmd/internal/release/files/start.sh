#!/bin/sh
# Starts the board and opens it in the browser.
cd "$(dirname "$0")" && exec ./boardui
