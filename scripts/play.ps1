# Sets armoon up if necessary and plays, as play.cmd does. If running scripts is disabled, type scripts\play.cmd instead.
& "$PSScriptRoot\play.cmd" @args
exit $LASTEXITCODE
