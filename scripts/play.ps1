# Sets armoon up if need be and plays, as play.cmd does. Where scripts are forbidden, type scripts\play.cmd here, too.
& "$PSScriptRoot\play.cmd" @args
exit $LASTEXITCODE
