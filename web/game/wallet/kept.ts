/**
 * What the wallet has shown, for the next time without a connection. It is kept under a hash of the token: who finds
 * it on the device can't open the wallet with it. Where the browser keeps nothing, such as in a private window, the
 * wallet works without.
 */
import { toHex } from '../../../src/fairness/draw.ts'
import { sha256 } from '../proof/sha256.ts'
import type { Wallet } from './wallet-api.ts'

type Kept = { wallet: Wallet; until: number }

const storeName = 'wallets'

export async function keepWallet(token: string, wallet: Wallet): Promise<void> {
  const kept: Kept = { wallet, until: endOf(wallet) }
  await inStore('readwrite', (store) => store.put(kept, keyOf(token)))
}

/** What was kept, unless its last prize is over. */
export async function keptWallet(token: string): Promise<Wallet | undefined> {
  const kept = await inStore<Kept | undefined>('readonly', (store) => store.get(keyOf(token)))
  if (kept === undefined || Date.now() < kept.until) return kept?.wallet
  await forgetWallet(token)
  return undefined
}

export async function forgetWallet(token: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(keyOf(token)))
}

/** Removes the wallets of this device whose last prize is over. */
export async function forgetOldWallets(): Promise<void> {
  const keys = (await inStore<IDBValidKey[]>('readonly', (store) => store.getAllKeys())) ?? []
  for (const key of keys) {
    const kept = await inStore<Kept>('readonly', (store) => store.get(key))
    if (kept !== undefined && kept.until <= Date.now())
      await inStore('readwrite', (store) => store.delete(key))
  }
}

/** A prize without a last day can be used for as long as the link is valid. */
function endOf({ prizes, expiresAt }: Wallet): number {
  const usable = prizes.filter(
    ({ state }) => !['redeemed', 'expired', 'cancelled', 'refused'].includes(state),
  )
  const ends = usable.map(({ claimBefore }) => Date.parse(claimBefore ?? expiresAt))
  return Math.max(0, ...ends)
}

function keyOf(token: string): string {
  return toHex(sha256(new TextEncoder().encode(token)))
}

async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open('wheelhouse-wallet', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName))
    const database = await done<IDBDatabase>(opening)
    const transaction = database.transaction(storeName, mode)
    const result = await done<T>(work(transaction.objectStore(storeName)))
    database.close()
    return result
  } catch {
    return undefined
  }
}

function done<T>(asked: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.addEventListener('success', () => resolve(asked.result as T))
    asked.addEventListener('error', () => reject(asked.error as Error))
    asked.addEventListener('blocked', () => reject(new Error('another page has it open')))
  })
}
