import type { LaterAnswersBody, LaterFormsAnswer } from '../../../src/http/answers/later-forms.ts'
import type { WalletAnswer } from '../../../src/http/answers/wallet.ts'
import { isRefused, readFields, type Refused, request } from '../api.ts'

export type WalletPrize = WalletAnswer['prizes'][number]

/** `answeredAt`: the server's clock. */
export type Wallet = WalletAnswer & { answeredAt: string; isTest: boolean }

export function openWallet(token: string, before?: number): Promise<Wallet | Refused> {
  return request('wallet/prizes', { body: { token, before } }, readWallet)
}

/** A visitor may have to send the answers to a form. */
export function claimPrize(claim: { token: string } & WalletClaim): Promise<Wallet | Refused> {
  return request('wallet/claims', { body: claim }, readWallet)
}

type WalletClaim = { playId: string } & Partial<Omit<LaterAnswersBody, 'session'>>

export function loadForms(token: string, playId: string): Promise<LaterFormsAnswer | Refused> {
  const { lang: language } = document.documentElement
  return request('wallet/forms', { body: { token, playId, language } }, (response) =>
    readFields<LaterFormsAnswer>(response, ['formVersion', 'toClaim']),
  )
}

/** Whether the link is dead, and so what it has shown must go from this device. */
export function isDead(answer: Wallet | Refused): boolean {
  return isRefused(answer) && !answer.isPassing
}

async function readWallet(response: Response): Promise<Wallet> {
  const { headers } = response
  const moment = headers.get('Wheelhouse-Time') ?? headers.get('Date')
  return {
    ...(await readFields<WalletAnswer>(response, ['prizes', 'expiresAt'])),
    answeredAt: (moment === null ? new Date() : new Date(moment)).toISOString(),
    isTest: headers.get('Wheelhouse-Mode') === 'test',
  }
}
