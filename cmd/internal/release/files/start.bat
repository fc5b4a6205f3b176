@rem Starts the board and opens it in the browser.
@cd /d "%~dp0"
@start "Tengen" /min boardui.exe
