# Sets armoon up if necessary and plays, as play.cmd does. If scripts are forbidden, type scripts\play.cmd instead.
& "$PSScriptRoot\play.cmd" @args
exit $LASTEXITCODE
