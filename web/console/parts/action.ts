import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useRef } from 'react'

/** Something that a person orders by a button. A double click is one order: the same one is ignored while it runs. */
export function useAction<Result, Order = void>(
  options: UseMutationOptions<Result, Error, Order>,
): UseMutationResult<Result, Error, Order> {
  const running = useRef(new Set<string | undefined>())
  const action = useMutation({
    ...options,
    onSettled: (...settled) => {
      running.current.delete(JSON.stringify(settled[2]))
      return options.onSettled?.(...settled)
    },
  })
  const mutate: typeof action.mutate = (...call) => {
    const key = JSON.stringify(call[0])
    if (running.current.has(key)) return
    running.current.add(key)
    action.mutate(...call)
  }
  return { ...action, mutate }
}
