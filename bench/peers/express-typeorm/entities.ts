import { EntitySchema } from 'typeorm'

export type Player = { merchantId: number; playerId: string; balance: number; playCount: number }

type LedgerEntry = {
  merchantId: number
  playerId: string
  kind: string
  key: string
  amount: number
  balanceAfter: number
  createdAt: Date
}

type Prize = { prizeId: number; label: string; weight: number; stock: number; given: number }

export type Play = {
  playId: string
  merchantId: number
  playerId: string
  playNo: number
  segment: number
  won: boolean
  balanceAfter: number
  createdAt: Date
}

const player = {
  merchantId: { type: 'int', name: 'merchant_id', primary: true },
  playerId: { type: 'text', name: 'player_id', primary: true },
} as const

// Node runs TypeScript without decorators, so the entities are written as schemas, which TypeORM also accepts.
export const PlayerEntity = new EntitySchema<Player>({
  name: 'Player',
  tableName: 'players',
  columns: {
    ...player,
    balance: { type: 'int' },
    playCount: { type: 'int', name: 'play_count', default: 0 },
  },
})

export const LedgerEntryEntity = new EntitySchema<LedgerEntry>({
  name: 'LedgerEntry',
  tableName: 'ledger',
  columns: {
    ...player,
    kind: { type: 'text', primary: true },
    key: { type: 'text', primary: true },
    amount: { type: 'int' },
    balanceAfter: { type: 'int', name: 'balance_after' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
})

export const PrizeEntity = new EntitySchema<Prize>({
  name: 'Prize',
  tableName: 'prizes',
  columns: {
    prizeId: { type: 'int', name: 'prize_id', primary: true },
    label: { type: 'text' },
    weight: { type: 'int' },
    stock: { type: 'int' },
    given: { type: 'int' },
  },
})

export const PlayEntity = new EntitySchema<Play>({
  name: 'Play',
  tableName: 'plays',
  columns: {
    playId: { type: 'uuid', name: 'play_id', primary: true },
    merchantId: { type: 'int', name: 'merchant_id' },
    playerId: { type: 'text', name: 'player_id' },
    playNo: { type: 'int', name: 'play_no' },
    segment: { type: 'int' },
    won: { type: 'boolean' },
    balanceAfter: { type: 'int', name: 'balance_after' },
    createdAt: { type: 'timestamptz', name: 'created_at', createDate: true },
  },
})
