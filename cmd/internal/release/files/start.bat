@rem Starts the board and opens it in the browser. The window of the board closes when it ends, but
@rem not after an error. The second cmd finds the path in a variable: in its command line, some signs
@rem in the names of folders would have a meaning. No directory is entered, since a share cannot be.
@set "board=%~dp0boardui.exe"
@if not exist "%board%" echo Unpack the whole zip first: boardui.exe is missing here.& pause & exit /b 1
@start "Tengen" /min cmd /d /c ""%%board%%" || pause"
