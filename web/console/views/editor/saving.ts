/**
 * Saves a draft a moment after each change, always on top of the revision that was read. If somebody else has saved
 * meanwhile, saving stops and the person decides.
 *
 *   saved ──change──► waiting ──► saving ──► saved
 *                                    ├──► invalid   (the server says what; the next change tries again)
 *                                    ├──► failed    (tried again with the next change or by hand)
 *                                    └──► conflict  (until the person decides)
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { WheelDocument } from '../../../../src/wheels/wheel-document.ts'
import { Problem } from '../../api.ts'
import type { Api } from '../../session.tsx'

export type FieldError = { pointer: string; detail: string }
export type Saving =
  | { state: 'saved' }
  | { state: 'waiting' }
  | { state: 'saving' }
  | { state: 'invalid'; errors: readonly FieldError[] }
  | { state: 'failed'; error: Error }
  | { state: 'conflict' }

const pauseMs = 600

export function useSaving(options: {
  api: Api
  slug: string
  draft: WheelDocument
  etag: string | null
  isReadOnly: boolean
  onSaved: () => void
}) {
  const { api, slug, draft, isReadOnly } = options
  const [saving, setSaving] = useState<Saving>({ state: 'saved' })
  const etag = useRef(options.etag)
  const saved = useRef(draft)
  const isBusy = useRef(false)
  const newest = useRef(draft)
  newest.current = draft
  const onSaved = useRef(options.onSaved)
  onSaved.current = options.onSaved

  const save = useCallback(async (): Promise<boolean> => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      // What was typed during a save is saved right after it.
      while (saved.current !== newest.current) {
        const now = newest.current
        setSaving({ state: 'saving' })
        const headers: Record<string, string> = etag.current === null ? {} : { 'If-Match': etag.current }
        const answer = await api.put<unknown>(`/api/v1/wheels/${slug}`, now, headers)
        etag.current = answer.etag
        saved.current = now
      }
      setSaving({ state: 'saved' })
      onSaved.current()
      return true
    } catch (error) {
      setSaving(stateFor(error))
      return false
    } finally {
      isBusy.current = false
    }
  }, [api, slug])

  const isConflict = saving.state === 'conflict'
  useEffect(() => {
    if (isReadOnly || isConflict || saved.current === draft) return undefined
    setSaving({ state: 'waiting' })
    const timer = setTimeout(() => void save(), pauseMs)
    return () => clearTimeout(timer)
  }, [draft, isReadOnly, isConflict, save])

  useEffect(() => {
    const isOpen = saving.state !== 'saved'
    if (!isOpen || isReadOnly) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [saving.state, isReadOnly])

  /** Takes a document as the saved one: what was just read from the server. */
  const rebase = useCallback((document: WheelDocument, tag: string | null) => {
    etag.current = tag
    saved.current = document
    setSaving({ state: 'saved' })
  }, [])

  /** Writes over what somebody else has saved. */
  const overwrite = useCallback(
    (tag: string | null) => {
      etag.current = tag
      setSaving({ state: 'waiting' })
      void save()
    },
    [save],
  )
  return { saving, save, rebase, overwrite }
}

function stateFor(error: unknown): Saving {
  if (error instanceof Problem && error.code === 'draft_changed') return { state: 'conflict' }
  if (error instanceof Problem && error.errors.length > 0) return { state: 'invalid', errors: error.errors }
  return { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) }
}
