import { EntryVisitors } from './entry-visitors.ts'
import { repeatedly, victim } from './faults.ts'
import type { Fault } from './round.ts'

let visitors: EntryVisitors | undefined

/** Visitors of a merchant of their own enter by their addresses, with and without a code. */
export const entryFaults: Fault[] = [
  {
    name: 'visitors-crash',
    about: 'kill -9 of a server or of PostgreSQL, every second or so, while visitors enter and type codes',
    onlyByName: true,
    seconds: 30,
    async run(ctx) {
      const made = (visitors = await EntryVisitors.make(ctx))
      await Promise.all([
        ...Array.from({ length: 12 }, () => repeatedly(ctx, [0, 100], () => made.visit())),
        repeatedly(ctx, [300, 1_500], async () => {
          if (ctx.random.happens(0.2)) {
            await ctx.scene.postgres.stop('SIGKILL')
            await ctx.scene.postgres.start()
            return
          }
          const server = victim(ctx)
          await server.kill()
          await server.start()
        }),
      ])
    },
    judge: async () => visitors?.judge() ?? [],
  },
]
