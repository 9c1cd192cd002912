import assert from 'node:assert/strict'
import { test } from 'node:test'
import { merged } from '../../web/console/parts/edits.ts'

const email = { id: 'email', labels: { en: 'E-mail' } }
const name = { id: 'name', labels: { en: 'Name' } }
const phone = { id: 'phone', labels: { en: 'Phone' } }
const relabelled = (field: { id: string }, labels: object) => ({ ...field, labels })

test('fields of a form that two persons changed are merged by their ids, and no change of either is lost', () => {
  const from = [email, name]
  const mine = [email, relabelled(name, { en: 'Full name' }), phone]
  const theirs = [{ id: 'news', labels: { en: 'News' } }, email, relabelled(name, { en: 'Name', de: 'Name' })]
  assert.deepEqual(
    merged({ from, to: mine }, theirs).map(({ id, labels }) => [id, labels]),
    [
      ['email', email.labels],
      ['name', { en: 'Full name', de: 'Name' }],
      ['phone', phone.labels],
      ['news', { en: 'News' }],
    ],
  )
})

test('what one removed is gone, and the order is that of the person who changed it', () => {
  const from = [email, name, phone]
  assert.deepEqual(merged({ from, to: [email, phone] }, [phone, email, name]), [email, phone])
  const edited = [email, name, relabelled(phone, { en: 'Mobile' })]
  assert.deepEqual(merged({ from, to: edited }, [phone, email]), [relabelled(phone, { en: 'Mobile' }), email])
  const changed = relabelled(name, { en: 'Full name' })
  assert.deepEqual(merged({ from, to: [email, changed, phone] }, [email]), [email, changed])
})

test('two that were added under one id both stay, for the check of the form to name them', () => {
  const other = relabelled(phone, { en: 'Mobile' })
  assert.deepEqual(merged({ from: [email], to: [email, phone] }, [email, other]), [email, other, phone])
})
