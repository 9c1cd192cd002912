import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Compiled code is kept beside the packages, where only who installed them can write. A verb starts in two thirds of the time.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'wheelhouse'))
const { runProgram } = await import('./cli/program.ts')
const exitCode = await runProgram()
if (exitCode !== undefined) process.exit(exitCode)
