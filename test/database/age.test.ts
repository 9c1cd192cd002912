// The format of encrypted backups is that of age (age-encryption.org/v1), so that they can be opened without
// Wheelhouse.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parseConfig } from '../../src/config.ts'
import { decrypt, encrypt, type Unlock, WrongKey } from '../../src/db/backup/age/age-file.ts'
import { makeIdentity, parseIdentities, recipientText } from '../../src/db/backup/age/keys.ts'

const chunkBytes = 65_536
const sealedBytes = chunkBytes + 16

/** The first was made by age 1.1.1, the second by us, and age 1.1.1 reads it. To change one is a breaking change. */
const frozen = {
  identity: 'AGE-SECRET-KEY-1895S5QFMWUPHKMS89NX6F9WGUF4EJEY0WJCUXZWN74WY9M9XFXXQHJECQS',
  recipient: 'age1rwq8yprspvazc4lepquk2sx34prxxqdr97veglp0m3xjm9zwrcps6ufxvf',
  forRecipient:
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBmS2RYQ2FNTmxSd0crMDhtOUdPUGhlRURCZm5xT2dTNlZobW1JVGhOMGlNCm95a3YvWXgy' +
    'eG5tWHNQSGowRDFObS9IQmhwc1VPMmsxZzR3U09RWUJXWVUKLS0tIG0zSWFLVWdDMnpNVW9rQlgzdE1RRnBSTGh5TzRLaEw2Q1NXVzAzMEtxSVEK' +
    'lB51m6BsgMSg8K1zI4ClTD1tGFrJMAkWrCKjnXHzKpQABMOOpg/vBBJWGttPqf6za37A',
  passphrase: 'correct horse battery staple',
  forPassphrase:
    'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBnSUxaaUlPdkNrM1dtUU1qbXlRTmtBIDE3Cm5SM0hoK0owUDFLNTY2MWdyckt0RlQ2TEdJ' +
    'UHVUTzAzUk4zUFo0WnpnT2sKLS0tIElPcTdRUjR1Y1BjMFNCWDBGbXMvbUpIQ1RhOXhKOWtsSmJSMDJxYUd4Vk0Kraz8ATf24lRIa0tkchhDWFzv' +
    'zUomDCWEMC6qgprfo0guVh+HM9B0VqJOTOySPdwt156o',
  text: 'Wheelhouse, frozen.',
}

test('files of age and of earlier versions stay readable, by private key and by passphrase', async () => {
  const identities = parseIdentities(`# a comment\n${frozen.identity}\n`)
  assert.deepEqual(
    identities.map(({ recipient }) => recipientText(recipient)),
    [frozen.recipient],
  )
  const unlocks: [string, Unlock, Unlock][] = [
    [frozen.forRecipient, { identities }, { identities: [makeIdentity()] }],
    [frozen.forPassphrase, { passphrase: frozen.passphrase }, { passphrase: 'correct horse battery' }],
  ]
  for (const [file, right, wrong] of unlocks) {
    const sealed = Buffer.from(file, 'base64')
    assert.equal(String((await open(sealed, right)).plain), frozen.text)
    assert.ok((await open(sealed, wrong)).error instanceof WrongKey)
  }
})

test('what was encrypted is decrypted, whatever its length, by each of several recipients', async () => {
  const [first, second] = [makeIdentity(), makeIdentity()]
  for (const length of [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes]) {
    const plain = randomBytes(length)
    const sealed = await seal(plain, [first.recipient, second.recipient])
    for (const identity of [first, second]) {
      const opened = await open(sealed, { identities: [identity] })
      assert.ok(opened.error === undefined && opened.plain.equals(plain), `${length} bytes`)
    }
  }
})

test('a file that is changed, cut, longer or in another order is refused, and nothing changed is handed out', async () => {
  const identity = makeIdentity()
  const plain = randomBytes(2 * chunkBytes + 100)
  const sealed = await seal(plain, [identity.recipient])
  const start = sealed.indexOf('\n', sealed.indexOf('\n---') + 1) + 1 + 16
  const chunk = (number: number) =>
    sealed.subarray(start + number * sealedBytes, Math.min(sealed.length, start + (number + 1) * sealedBytes))
  const head = sealed.subarray(0, start)
  const flipped = (at: number) => {
    const copy = Buffer.from(sealed)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const broken: Record<string, Buffer> = {
    'a bit of the MAC': flipped(sealed.indexOf('--- ') + 10),
    'a bit of the nonce': flipped(start - 1),
    'a bit of the first chunk': flipped(start + 7),
    'a bit of the last tag': flipped(sealed.length - 1),
    'no end': sealed.subarray(0, start + 2 * sealedBytes),
    'a cut end': sealed.subarray(0, -1),
    'two chunks exchanged': Buffer.concat([head, chunk(1), chunk(0), chunk(2)]),
    'a chunk missing': Buffer.concat([head, chunk(0), chunk(2)]),
    'a chunk repeated': Buffer.concat([head, chunk(0), chunk(0), chunk(1), chunk(2)]),
    'more behind the end': Buffer.concat([sealed, chunk(2)]),
    'no header': chunk(0),
  }
  for (const [name, bytes] of Object.entries(broken)) {
    const opened = await open(bytes, { identities: [identity] })
    assert.ok(opened.error instanceof Error, name)
    assert.ok(plain.subarray(0, opened.plain.length).equals(opened.plain), name)
    assert.ok(opened.plain.length < plain.length, name)
  }
})

test('settings with a misspelt public key or a short passphrase are refused, without repeating the passphrase', () => {
  const misspelt = frozen.recipient.replace('q8y', 'q9y')
  assert.throws(() => parseConfig({ BACKUP_RECIPIENTS: misspelt }), /BACKUP_RECIPIENTS must be a public key/)
  assert.throws(
    () => parseConfig({ BACKUP_PASSPHRASE: 'guess me' }),
    (error: Error) =>
      /BACKUP_PASSPHRASE must have at least 16/.test(error.message) && !/guess/.test(error.message),
  )
  assert.throws(
    () => parseConfig({ BACKUP_PASSPHRASE_FILE: '/nowhere/at-all' }),
    /BACKUP_PASSPHRASE_FILE must name a file that can be read, but is "\/nowhere\/at-all"/,
  )
  const [recipient] = parseConfig({ BACKUP_RECIPIENTS: frozen.recipient }).backup.recipients
  assert.equal(recipient === undefined ? '' : recipientText(recipient), frozen.recipient)
})

async function seal(plain: Buffer, recipients: Buffer[]): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(encrypt(pieces(plain), { recipients })))
}

/** What was handed out before the end, or before the error. */
async function open(sealed: Buffer, unlock: Unlock): Promise<{ plain: Buffer; error?: unknown }> {
  const parts: Buffer[] = []
  try {
    for await (const part of decrypt(pieces(sealed), unlock)) parts.push(part)
    return { plain: Buffer.concat(parts) }
  } catch (error) {
    return { plain: Buffer.concat(parts), error }
  }
}

/** In pieces that do not fit the chunks. */
async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 50_000) yield bytes.subarray(at, at + 50_000)
}
