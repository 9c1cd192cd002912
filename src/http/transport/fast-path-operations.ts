import { Compile } from 'typebox/compile'
import type { Context } from '../../context.ts'
import type { TokenWithMerchant } from '../../merchants/service-tokens.ts'
import type { Trace } from '../../tracing/trace.ts'
import { linkCreation, type MerchantOperation, spinIncrease } from '../merchant/merchant-operations.ts'
import { bodyReader } from './body.ts'
import type { FastResult } from './fast-answers.ts'

export type FastOperation = Pick<MerchantOperation<never>, 'path' | 'scope' | 'queueOf'> & {
  /** Returns undefined for a body or key that the framework must judge. */
  prepare: (body: Buffer, key: string | string[] | undefined) => FastWork | undefined
}

type FastWork = (ctx: Context, token: TokenWithMerchant, trace: Trace | undefined) => Promise<FastResult>

/** The operations of the fast path, by path. */
export function makeFastOperations(): Map<string, FastOperation> {
  const operations = [makeFast(spinIncrease), makeFast(linkCreation)]
  return new Map(operations.map((operation) => [operation.path, operation]))
}

function makeFast<Body>(operation: MerchantOperation<Body>): FastOperation {
  const { path, scope, queueOf, carryOut } = operation
  const readBody = bodyReader<Body>(path, operation.body)
  const keys = operation.headers && Compile(operation.headers.properties['idempotency-key'])
  const prepare: FastOperation['prepare'] = (bytes, key) => {
    const body = readBody(bytes)
    if (body === undefined || (key !== undefined && keys?.Check(key) === false)) return undefined
    return (ctx, token, trace) => carryOut(ctx, token, { body, key, trace })
  }
  return { path, scope, queueOf, prepare }
}
