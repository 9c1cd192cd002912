import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ManagementApi } from './management-scene.ts'
import { until } from './scene.ts'

/** Makes links for players, and waits for them. Returns the id of the list. */
export async function makeLinkList(api: ManagementApi, order: { campaign: string; playerIds: string[] }) {
  const list = randomUUID()
  const made = await api.call('PUT', `/link-lists/${list}`, order)
  assert.equal(made.status, 200, made.text)
  await until(async () => (await api.call('GET', `/link-lists/${list}`)).body.finishedAt !== null)
  return list
}
