import { type Static, Type } from 'typebox'
import type { Context } from '../../context.ts'
import { describePlay } from '../../plays/describe-play.ts'
import type { ListedPlay } from '../../plays/play-lists.ts'
import { Play, PlayerId } from './shapes.ts'
import { type Page, PageOf } from './page.ts'
import { uuidPattern } from './patterns.ts'

const PlayId = Type.String({
  pattern: uuidPattern,
  description: "The id of the play, unique among the player's plays.",
})

export const PlayName = Type.Object({ playId: PlayId })

export const WhichPlayer = Type.Object({
  playerId: Type.Optional(PlayerId),
})

export const PlayAnswer = Type.Object(
  {
    playerId: Type.String(),
    wheel: Type.String(),
    wheelVersion: Type.Integer(),
    prizeId: Type.String({ description: 'The id of the segment on which the wheel came to rest.' }),
    ...Play.properties,
    campaign: Type.String(),
  },
  { title: 'Play' },
)
export type PlayAnswer = Static<typeof PlayAnswer>

export const PlaysAnswer = PageOf('plays', PlayAnswer)
export type PlaysAnswer = Page<'plays', PlayAnswer>

/** As the player sees it, with its proof, and with what only the merchant may know. */
export async function shownPlay(ctx: Context, play: ListedPlay): Promise<PlayAnswer> {
  const key = await ctx.seedKeys.everById(play.seedKeyId)
  if (key === undefined) throw new Error(`the key ${play.seedKeyId} of play ${play.playId} is gone`)
  return {
    playerId: play.playerId,
    wheel: play.wheel,
    wheelVersion: play.wheelVersion,
    prizeId: play.prizeId,
    ...describePlay(play, await ctx.wheels.version(play.wheelId, play.wheelVersion), key),
    campaign: play.campaign,
  }
}
