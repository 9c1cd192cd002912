import { Wheelhouse } from 'wheelhouse-client'

const wheelhouse = new Wheelhouse({
  url: 'https://wheel.example',
  token: process.env.WHEELHOUSE_TOKEN,
})
const { spinCount } = await wheelhouse.grant({
  playerId: 'alice',
  spinNumber: 5,
  idempotencyKey: 'order-4711',
})
console.log(`alice has ${spinCount} spins`)
