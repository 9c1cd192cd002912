import {
  webhookFailuresMax,
  webhookHopelessSeconds,
  webhookSlowMs,
  webhookSlowSeconds,
} from '../../limits.ts'
import { probePauseMs } from './retry-schedule.ts'

/**
 * How a receiver is doing.
 *
 *   flowing ── webhookFailuresMax failures in a row ──► held ── time is over ──► probing ── success ──► flowing
 *      └────── the receiver asks for time ────────────►  ▲ └────── failure, longer pause ──────┘
 *
 * While held nothing is sent, and while probing one at a time, so a receiver that is down costs neither rows nor
 * time-outs for what waits. Three days of nothing but failures disable the webhook.
 *
 * A receiver can also be slow, in any of these states. That decides which places it is served in (see places.ts).
 */
export type Health = {
  failureCount: number
  failingSince: Date | null
  heldUntil: Date | null
  probeCount: number
  /** It took long to answer, lately. */
  slowUntil: Date | null
}

export type Mode = 'flowing' | 'held' | 'probing'

export const healthy: Health = {
  failureCount: 0,
  failingSince: null,
  heldUntil: null,
  probeCount: 0,
  slowUntil: null,
}

export function modeOf(health: Health, now: Date): Mode {
  if (health.heldUntil !== null && health.heldUntil > now) return 'held'
  return health.failureCount >= webhookFailuresMax ? 'probing' : 'flowing'
}

/** `mode` is that of the moment when the attempt began: the stragglers of a flow that was stopped are no probes. */
export function afterFailure(
  health: Health,
  failure: { mode: Mode; holdSeconds: number | undefined; now: Date; chance: number },
): Health {
  const failureCount = health.failureCount + 1
  const probeCount = health.probeCount + (failure.mode === 'probing' ? 1 : 0)
  const isTripped = failureCount === webhookFailuresMax || failure.mode === 'probing'
  const pausesMs = [
    isTripped ? probePauseMs(probeCount, failure.chance) : 0,
    (failure.holdSeconds ?? 0) * 1000,
    (health.heldUntil?.getTime() ?? 0) - failure.now.getTime(),
  ]
  const pauseMs = Math.max(...pausesMs)
  return {
    failureCount,
    probeCount,
    failingSince: health.failingSince ?? failure.now,
    heldUntil: pauseMs > 0 ? new Date(failure.now.getTime() + pauseMs) : null,
    slowUntil: health.slowUntil,
  }
}

/** A success ends the row of failures. A time that the receiver asked for stands. */
export function afterSuccess(health: Health, now: Date): Health {
  const isHeld =
    health.heldUntil !== null && health.heldUntil > now && health.failureCount < webhookFailuresMax
  return { ...healthy, heldUntil: isHeld ? health.heldUntil : null, slowUntil: health.slowUntil }
}

/** An answer took this long, or has not come for so long. */
export function afterWaiting(health: Health, { waitedMs, now }: { waitedMs: number; now: Date }): Health {
  if (waitedMs < webhookSlowMs) return health
  return { ...health, slowUntil: new Date(now.getTime() + webhookSlowSeconds * 1000) }
}

export function isSlow(health: Health, now: Date): boolean {
  return health.slowUntil !== null && health.slowUntil > now
}

export function isHopeless(health: Health, now: Date): boolean {
  if (health.failingSince === null) return false
  return now.getTime() - health.failingSince.getTime() >= webhookHopelessSeconds * 1000
}
