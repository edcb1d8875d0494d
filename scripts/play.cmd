@echo off
rem Sets armoon up if necessary and plays: scripts\play.cmd ARGS is `armoon play ARGS`. uv installs Python and all packages.
setlocal
set "root=%~dp0.."
set "own=%root%\.venv"
set "python=%own%\Scripts\python.exe"
set same=import filecmp, sys; sys.exit(not filecmp.cmp(*sys.argv[1:], shallow=False))
if not exist "%python%" goto install
rem Install again if these files have changed since the installation.
"%python%" -c "%same%" "%root%\scripts\constraints.txt" "%own%\set-up-constraints" >nul 2>nul
if errorlevel 1 goto install
"%python%" -c "%same%" "%root%\pyproject.toml" "%own%\set-up-project" >nul 2>nul
if errorlevel 1 goto install
:play
"%python%" -m armoon play %*
exit /b %errorlevel%
:install
uv --version >nul 2>nul
if errorlevel 1 goto no_uv
echo armoon: Setting up in %own%, which takes some minutes the first time ... 1>&2
if exist "%python%" goto packages
uv venv --quiet --python cpython-3.11-windows-x86_64-none "%own%"
if errorlevel 1 goto failed
:packages
uv pip install --quiet --python "%own%" --overrides "%root%\scripts\overrides.txt" --constraints "%root%\scripts\constraints.txt" --editable "%root%"
if errorlevel 1 goto failed
copy /y "%root%\scripts\constraints.txt" "%own%\set-up-constraints" >nul
copy /y "%root%\pyproject.toml" "%own%\set-up-project" >nul
goto play
:no_uv
echo armoon: uv is not installed. Type: winget install astral-sh.uv, open a new window and start again. 1>&2
exit /b 2
:failed
echo armoon: The packages could not be installed: see uv's messages above, and docs\systems.md. 1>&2
exit /b 2
