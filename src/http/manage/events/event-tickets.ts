import type { FastifyReply, FastifyRequest } from 'fastify'
import { useTicket } from '../../../events/event-tickets.ts'
import { refuseSuspended } from '../../../merchants/merchants.ts'
import type { Scope } from '../../../merchants/scopes.ts'
import type { TokenWithMerchant } from '../../../merchants/service-tokens.ts'
import { requireScope } from '../../../merchants/token-verifier.ts'
import { Refusal } from '../../../refusals.ts'

const scopes: Scope[] = ['events', 'manage']

/** Whether a request comes with a ticket in the place of a token. */
export function hasTicket(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined && ticketIn(request) !== undefined
}

/** Lets in a request with a ticket, which is used up by it. */
export async function admitTicket(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { ctx } = request.server
  const ticket = ticketIn(request)
  const tokenId = typeof ticket === 'string' ? await useTicket(ctx.db, ticket, ctx.now()) : undefined
  if (tokenId === undefined) throw new Refusal('ticket_invalid')
  request.caller = await liveToken(request, tokenId)
  // The ticket is the whole credential, so the page of any site that holds one may read the stream.
  reply.header('Access-Control-Allow-Origin', '*')
}

/** Fails when the token that asked for the ticket may not read events any more. */
export async function confirmTicket(request: FastifyRequest): Promise<void> {
  if (request.caller === undefined) throw new Error('the ticket was not used yet')
  await liveToken(request, request.caller.tokenId)
}

async function liveToken(request: FastifyRequest, tokenId: string): Promise<TokenWithMerchant> {
  const token = await request.server.ctx.tokens.confirm(tokenId)
  refuseSuspended(token.merchant)
  requireScope(token, scopes)
  return token
}

function ticketIn(request: FastifyRequest): unknown {
  return (request.query as { ticket?: unknown }).ticket
}
