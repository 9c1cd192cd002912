import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { schemaFile, schemaText } from '../../scripts/schema.ts'
import { makeDatabase, notOnCluster } from '../scenes/scene.ts'

test('sql/schema.sql has the tables that the migrations make (npm run schema)', notOnCluster, async (t) => {
  const { db } = await makeDatabase(t)
  assert.equal(await schemaText(db), readFileSync(schemaFile, 'utf8'), 'sql/schema.sql is stale')
})
