import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertCause } from '../../src/staff-alerts/alert-causes.ts'
import { chosenCampaigns, type Reader, wants } from '../../src/staff-alerts/alert-readers.ts'
import { decideAlerts } from '../../src/staff-alerts/decide-alerts.ts'
import type { Finding } from '../../src/staff-alerts/finding.ts'
import type { Told } from '../../src/staff-alerts/told-alerts.ts'

const reader: Reader = {
  merchantId: 1,
  staffId: 7,
  email: 'ann@example.com',
  timeZone: 'America/New_York',
  choices: [{ campaignId: null, causes: ['stock_low', 'webhook_failing'] }],
}

const finding = (subject: string, campaigns = [0], merchantId = 1): Finding => ({
  merchantId,
  subject,
  campaigns,
  name: subject,
  value: '',
  path: '',
})

/** Days of one person with these findings of a cause at these times: what each mail tells. */
function tell(days: readonly [at: string, subjects: string[]][], cause: AlertCause = 'stock_low'): string[] {
  let notes: Told[] = []
  return days.map(([at, subjects]) => {
    const findings = [{ cause, found: subjects.map((subject) => finding(subject)) }]
    const { alerts, over, past } = decideAlerts({
      readers: [reader],
      findings,
      told: notes,
      now: new Date(at),
    })
    const told = alerts.flatMap((alert) => alert.subjects.map((subject) => ({ subject, day: alert.day })))
    notes = notes
      .filter((note) => !past.includes(note))
      .map((note) => (over.includes(note) ? { ...note, isOver: true } : note))
    for (const { subject, day } of told)
      notes.push({ merchantId: 1, staffId: 7, cause, subject, toldOn: day, isOver: false })
    return told.map(({ subject }) => subject).join(' ')
  })
}

test('what stays as it is is told once', () => {
  assert.deepEqual(
    tell([
      ['2027-06-01T12:00:00Z', ['mug']],
      ['2027-06-01T12:01:00Z', ['mug']],
      ['2027-06-02T12:00:00Z', ['mug']],
      ['2027-06-09T12:00:00Z', ['mug']],
    ]),
    ['mug', '', '', ''],
  )
})

test('a cause is told once a day; the rest follows on the next, and what is over by then does not', () => {
  assert.deepEqual(
    tell([
      ['2027-06-01T12:00:00Z', ['mug', 'cup']],
      ['2027-06-01T13:00:00Z', ['mug', 'cup', 'pen', 'hat']],
      ['2027-06-02T12:00:00Z', ['mug', 'cup', 'pen']],
    ]),
    ['mug cup', '', 'pen'],
  )
})

test('what was over is told again, but not on the same day', () => {
  assert.deepEqual(
    tell([
      ['2027-06-01T12:00:00Z', ['mug']],
      ['2027-06-01T13:00:00Z', []],
      ['2027-06-01T14:00:00Z', ['mug']],
      ['2027-06-02T12:00:00Z', ['mug']],
      ['2027-06-02T13:00:00Z', []],
      ['2027-06-04T13:00:00Z', []],
      ['2027-06-05T13:00:00Z', ['mug']],
    ]),
    ['mug', '', '', 'mug', '', '', 'mug'],
  )
})

test('a day ends at midnight where the merchant is', () => {
  assert.deepEqual(
    tell([
      ['2027-06-01T20:00:00Z', ['mug']],
      ['2027-06-02T03:59:59Z', ['mug', 'cup']],
      ['2027-06-02T04:00:00Z', ['mug', 'cup']],
    ]),
    ['mug', '', 'cup'],
  )
})

test('the clock of a test merchant is its own', () => {
  const ahead = { ...reader, clockAheadMs: 86_400_000 }
  const findings = [{ cause: 'stock_low' as const, found: [finding('mug')] }]
  const now = new Date('2027-06-01T12:00:00Z')
  const [alert] = decideAlerts({ readers: [ahead], findings, told: [], now }).alerts
  assert.equal(alert?.day, '2027-06-02')
})

test('nobody is told of other merchants, or what they have not chosen', () => {
  const now = new Date('2027-06-01T12:00:00Z')
  const findings = [
    { cause: 'stock_low' as const, found: [finding('elsewhere', [0], 2)] },
    { cause: 'stock_gone' as const, found: [finding('mug')] },
  ]
  assert.deepEqual(decideAlerts({ readers: [reader], findings, told: [], now }).alerts, [])
})

test('the notes of somebody who gets nothing any more are deleted', () => {
  const note: Told = {
    merchantId: 1,
    staffId: 8,
    cause: 'stock_low',
    subject: 'mug',
    toldOn: '2027-06-01',
    isOver: false,
  }
  const now = new Date('2027-06-01T12:00:00Z')
  const { over, past } = decideAlerts({ readers: [reader], findings: [], told: [note], now })
  assert.deepEqual([over, past], [[], [note]])
})

test('a campaign with a choice of its own has that one instead', () => {
  const choices: Reader['choices'] = [
    { campaignId: null, causes: ['stock_low', 'webhook_failing'] },
    { campaignId: 3, causes: [] },
    { campaignId: 4, causes: ['stock_gone'] },
  ]
  assert.deepEqual(chosenCampaigns({ choices }, 'stock_low', [0, 3, 4]), [0])
  assert.deepEqual(chosenCampaigns({ choices }, 'stock_gone', [0, 3, 4]), [4])
  assert.ok(!wants({ choices }, 'stock_low', { campaigns: [3, 4] }))
  assert.ok(wants({ choices }, 'stock_low', { campaigns: [3, 5] }), 'the wheel of several campaigns')
  assert.ok(wants({ choices }, 'webhook_failing', { campaigns: [] }))
  assert.ok(!wants({ choices: [] }, 'webhook_failing', { campaigns: [] }))
})
