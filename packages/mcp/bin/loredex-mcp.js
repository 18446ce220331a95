#!/usr/bin/env node
// Stands in the package before anything is built, so that installing from sources links the command.
import "../dist/cli.js";
