// Loaded into the servers and commands that tests start: on a busy machine they wait as long as those in the tests' own
// process.
import { databaseDeadlines } from '../../src/limits.ts'

export const patientDeadlines = { operationMs: 60_000, connectMs: 60_000, queueWaitMs: 60_000 }
Object.assign(databaseDeadlines, patientDeadlines)
