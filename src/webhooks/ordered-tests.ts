import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, statement } from '../db/database.ts'
import { Mistake } from '../mistake.ts'
import { sendTest, type TestResult } from './sending/send-test.ts'
import type { Reach } from './sending/webhook-client.ts'
import { readWebhook, type Webhook } from './webhooks.ts'

/**
 * Test events of the command line. A command may run with other settings than the server, or on a machine that reaches
 * other addresses, so its own attempt would prove nothing. It leaves an order, and a server carries it out.
 */

/** How long the command waits, how often it looks, and how many tests a process takes at once. */
const orderedTestSeconds = 30
const orderedTestLookMs = 250
const orderedTestsTakenMax = 5

/** Has a server send a test event, and waits for the result. */
export async function orderTest(db: Database, { webhookNo }: Webhook): Promise<TestResult> {
  const testId = randomUUID()
  await db.query(insert, [testId, webhookNo, orderedTestSeconds])
  try {
    for (;;) {
      const [test] = await db.query(read, [testId, orderedTestSeconds])
      if (typeof test?.result === 'string') return JSON.parse(test.result) as TestResult
      if (test === undefined || test.isOver) throw new Mistake(nobodyAnswers)
      await sleep(orderedTestLookMs)
    }
  } finally {
    await db.query(remove, [testId])
  }
}

const nobodyAnswers = `No server sent the test within ${orderedTestSeconds} seconds. Tests are sent by a running server, with its own settings. Is one running, with WEBHOOKS=on?`

/** Sends the tests that were ordered, and leaves their results. */
export async function sendOrderedTests(
  db: Database,
  { reach, now }: { reach: Reach; now: () => Date },
): Promise<void> {
  const orders = await db.query(take, [orderedTestSeconds, orderedTestsTakenMax])
  await Promise.all(
    orders.map(async ({ testId, webhookNo }) => {
      const webhook = await readWebhook(db, webhookNo)
      if (webhook === undefined) return
      const result = await sendTest(db, webhook, { reach, now: now() })
      await db.query(finish, [testId, JSON.stringify(result)])
    }),
  )
}

// Rows of commands that were killed go with the next order.
const insert = statement(`
with outdated as (
  delete from webhook_tests
  where ordered_at < now() - 2 * $3 * interval '1 second'
)
insert into webhook_tests (test_id, webhook_no, ordered_at)
values ($1, $2, now())`)

const read = statement<{ result: string | null; isOver: boolean }>(`
select result, ordered_at < now() - $2 * interval '1 second' as "isOver"
from webhook_tests
where test_id = $1`)

const remove = statement(`
delete from webhook_tests
where test_id = $1`)

const take = statement<{ testId: string; webhookNo: number }>(`
update webhook_tests
set taken_at = now()
where test_id in (
  select test_id
  from webhook_tests
  where taken_at is null
  and ordered_at > now() - $1 * interval '1 second'
  order by ordered_at
  limit $2
  for update skip locked
)
returning test_id as "testId", webhook_no as "webhookNo"`)

const finish = statement(`
update webhook_tests
set result = $2
where test_id = $1`)
