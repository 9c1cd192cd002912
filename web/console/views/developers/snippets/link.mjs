import { Wheelhouse } from 'wheelhouse-client'

const wheelhouse = new Wheelhouse({
  url: 'https://wheel.example',
  token: process.env.WHEELHOUSE_TOKEN,
})
const { link } = await wheelhouse.link({ playerId: 'alice' })
console.log(link)
