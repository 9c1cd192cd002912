import { Type } from 'typebox'
import { untilDone } from '../../../db/database.ts'
import { Refusal } from '../../../refusals.ts'
import { slugPattern } from '../../../slug.ts'
import { compareWheels } from '../../../wheel-document/compare-wheels.ts'
import type { Wheel } from '../../../wheel-document/wheel-types.ts'
import { readVersion } from '../../../wheels/wheel-versions.ts'
import { managementRoutes } from '../../route-groups.ts'
import { wheelNamed } from '../campaign-of-request.ts'
import { wheelFor } from '../masked-codes.ts'
import { DifferenceAnswer, VersionAnswer } from '../../answers/versions.ts'

const VersionNumber = Type.Integer({ minimum: 1, maximum: 999_999_999 })
const VersionOrDraft = Type.String({
  pattern: '^([1-9][0-9]{0,8}|draft)$',
  description: 'The number of a version, or `draft`.',
  examples: ['draft'],
})

/** Published versions, and the differences between them. */
export const versionRoutes = managementRoutes({ tag: 'Wheels' }, async (app) => {
  const { ctx } = app

  app.get(
    '/api/v1/wheels/:wheel/versions/:version',
    {
      config: { refusals: ['wheel_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'readWheelVersion',
        summary: 'Read a published version',
        description: 'The whole document, with stock and limits. To go back to it, save it as the draft.',
        params: Type.Object({ wheel: Type.String({ pattern: slugPattern }), version: VersionNumber }),
        response: { 200: VersionAnswer },
      },
    },
    async (request) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      const found = await versionOf(wheel, request.params.version)
      return {
        wheel: wheel.slug,
        version: found.version,
        hash: found.sha256,
        publishedAt: found.publishedAt.toISOString(),
        document: wheelFor(request, found.document),
      }
    },
  )

  app.get(
    '/api/v1/wheels/:wheel/difference',
    {
      config: { refusals: ['wheel_not_found'], boundTokens: 'checked' },
      schema: {
        operationId: 'compareWheelVersions',
        summary: 'Compare two versions, or one with the draft',
        description: 'Segments are matched by their id, not by their place.',
        params: Type.Object({ wheel: Type.String({ pattern: slugPattern }) }),
        querystring: Type.Object({ from: VersionOrDraft, to: VersionOrDraft }),
        response: { 200: DifferenceAnswer },
      },
    },
    async (request) => {
      const wheel = await wheelNamed(request, request.params.wheel)
      const read = async (name: string) =>
        wheelFor(request, name === 'draft' ? wheel.draft : (await versionOf(wheel, Number(name))).document)
      const { from, to } = request.query
      return { changes: compareWheels(await read(from), await read(to)) }
    },
  )

  async function versionOf({ wheelId }: Wheel, version: number) {
    const found = await untilDone(() => readVersion(ctx.db, { wheelId, version }))
    if (found === undefined)
      throw new Refusal('wheel_not_found', { detail: 'The wheel has no such version.' })
    return found
  }
})
