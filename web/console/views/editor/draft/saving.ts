/**
 * Saves a draft shortly after each change, always against the revision that was read, and at once when the person
 * leaves the editor. If someone else has saved meanwhile, saving stops and the person decides. The state is `saved`
 * only while the draft on the screen is the stored one.
 *
 *   saved ──change──► waiting ──► saving ──► saved
 *                                    ├──► invalid   (the server lists the errors; the next change retries)
 *                                    ├──► failed    (retried with the next change or by hand)
 *                                    └──► conflict  (until the person decides)
 *
 *   saved ──a field is invalid──► unfinished  (the rest is saved)
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { WheelAnswer } from '../../../../../src/http/answers/wheels.ts'
import type { FieldError } from '../../../../../src/http/answers/shapes.ts'
import { stateTranslations } from '../../../../../src/wheel-document/translated-from.ts'
import type { WheelDocument } from '../../../../../src/wheel-document/wheel-document.ts'
import { Problem } from '../../../api.ts'
import type { Api } from '../../../session.tsx'

export type { FieldError }
export type Saving =
  | { state: 'saved' }
  | { state: 'waiting' }
  | { state: 'saving' }
  | { state: 'invalid'; errors: readonly FieldError[] }
  | { state: 'failed'; error: Error }
  | { state: 'conflict' }
  | { state: 'unfinished' }

/** The document is null after a failure, when it is unknown what the server has stored. */
type Stored = { document: WheelDocument | null; etag: string | null }

const pauseMs = 600
const waiting: Saving = { state: 'waiting' }
const unfinished: Saving = { state: 'unfinished' }

type SavingOptions = {
  api: Api
  slug: string
  draft: WheelDocument
  etag: string | null
  isReadOnly: boolean
  hasUnfinished: boolean
  onSaved: () => void
}

export function useSaving(options: SavingOptions) {
  const { api, slug, draft, isReadOnly } = options
  const [saving, setSaving] = useState<Saving>({ state: 'saved' })
  const stored = useRef<Stored>({ document: draft, etag: options.etag })
  const isBusy = useRef(false)
  const newest = useNewest(draft)
  const onSaved = useNewest(options.onSaved)

  const save = useCallback(async (): Promise<boolean> => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      // Changes made during a save are saved right after it.
      while (stored.current.document !== newest.current) {
        setSaving({ state: 'saving' })
        stored.current = await put({ api, slug, document: newest.current, stored: stored.current })
      }
      setSaving({ state: 'saved' })
      onSaved.current()
      return true
    } catch (error) {
      const state = stateFor(error)
      if (state.state === 'failed') stored.current.document = null
      setSaving(state)
      return false
    } finally {
      isBusy.current = false
    }
  }, [api, slug, newest, onSaved])

  const isStopped = isReadOnly || saving.state === 'conflict'
  useEffect(() => {
    if (isStopped) return undefined
    if (stored.current.document === draft) {
      // The change was undone before it was saved, or the draft is back at the stored state.
      setSaving((now) => (now.state === 'saving' || now.state === 'saved' ? now : { state: 'saved' }))
      return undefined
    }
    // The same object at each key: a new one would draw the editor twice.
    setSaving(waiting)
    const timer = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, isStopped, save])
  useOnLeaving(() => !isStopped && stored.current.document !== newest.current && save())

  const isSaved = stored.current.document === draft
  const shown = shownState(saving, { isSaved, hasUnfinished: options.hasUnfinished })
  useWarnBeforeUnload(shown.state !== 'saved' && !isReadOnly)

  /** Makes a document that was just read from the server the saved one. */
  const rebase = (document: WheelDocument, etag: string | null) => {
    stored.current = { document, etag }
    setSaving({ state: 'saved' })
  }
  /** Overwrites the draft that someone else has saved. */
  const overwrite = (etag: string | null) => {
    stored.current = { document: null, etag }
    setSaving(waiting)
    void save()
  }
  /** Somebody else has saved another draft, as something other than a save has found out. */
  const doubt = () => setSaving({ state: 'conflict' })
  /** The revision that was saved last. */
  const tagOf = () => stored.current.etag
  return { saving: shown, save, rebase, overwrite, doubt, tagOf }
}

/** Stores the document, unless the server has another revision than the stored one. */
async function put(order: {
  api: Api
  slug: string
  document: WheelDocument
  stored: Stored
}): Promise<Stored> {
  const { api, slug, document, stored } = order
  const headers: Record<string, string> = stored.etag === null ? {} : { 'If-Match': stored.etag }
  const stated = stateTranslations(stored.document, document)
  const { etag } = await api.put<WheelAnswer>(`/api/v1/wheels/${slug}`, stated, headers)
  return { document, etag }
}

/** For functions that outlive the render in which they were made. */
function useNewest<Value>(value: Value): RefObject<Value> {
  const newest = useRef(value)
  newest.current = value
  return newest
}

function useOnLeaving(leave: () => unknown): void {
  const newest = useNewest(leave)
  useEffect(() => () => void newest.current(), [newest])
}

function useWarnBeforeUnload(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isOpen])
}

/** The state in React lags behind the typed text, so the shown state is derived from both. */
function shownState(kept: Saving, now: { isSaved: boolean; hasUnfinished: boolean }): Saving {
  if (kept.state !== 'saved') return kept
  if (!now.isSaved) return waiting
  return now.hasUnfinished ? unfinished : kept
}

function stateFor(error: unknown): Saving {
  if (error instanceof Problem && error.code === 'draft_changed') return { state: 'conflict' }
  if (error instanceof Problem && error.errors.length > 0) return { state: 'invalid', errors: error.errors }
  return { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
