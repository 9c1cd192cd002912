/** Lists loaded page by page. */
import { Button, Center } from '@mantine/core'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from './api.ts'
import { Failure, Waiting } from './parts/states.tsx'
import { useApi } from './session.tsx'
import { t } from './texts.ts'

/** A page as a list of the API answers it: one array, by the list's own name, and the cursor of the next page. */
type Page = { next: string | null }
type ListName<List extends Page> = Exclude<keyof List, 'next'>
type ItemOf<List extends Page> = List[ListName<List>] extends (infer Item)[] ? Item : never
type ReadPage<Item> = { items: Item[]; next: string | null }

type Filters = Record<string, string | undefined>
type Options = { refetchInterval?: number; enabled?: boolean }

/** A list of this merchant. */
export function usePages<List extends Page>(
  name: readonly unknown[],
  field: ListName<List>,
  path: string,
  filters: Filters = {},
  options: Options = {},
) {
  const { merchant } = useApi()
  const get: typeof call = (address, request) => call(address, { ...request, merchant })
  return useListPages<List>([merchant, ...name], field, path, get, filters, options)
}

export function useListPages<List extends Page>(
  name: readonly unknown[],
  field: ListName<List>,
  path: string,
  get: typeof call,
  filters: Filters = {},
  options: Options = {},
) {
  return useInfiniteQuery({
    queryKey: [...name, filters],
    queryFn: async ({ pageParam, signal }): Promise<ReadPage<ItemOf<List>>> => {
      const query = new URLSearchParams()
      for (const [key, value] of Object.entries(filters))
        if (value !== undefined && value !== '') query.set(key, value)
      if (pageParam !== null) query.set('cursor', pageParam)
      const text = query.toString()
      const page = await get<List>(text === '' ? path : `${path}?${text}`, { signal })
      return { items: page[field] as ItemOf<List>[], next: page.next }
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    ...options,
  })
}

/** Shows a list as loading, failed, empty or loaded, with a button for the next page. */
export function Pages<Item>(props: {
  query: UseInfiniteQueryResult<InfiniteData<ReadPage<Item>>>
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}) {
  const { query } = props
  if (query.data === undefined)
    return query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Waiting />
  const items = query.data.pages.flatMap((page) => page.items)
  return (
    <>
      {items.length === 0 && !query.hasNextPage ? props.empty : props.children(items)}
      {query.isError ? <Failure error={query.error} onRetry={() => void query.fetchNextPage()} /> : null}
      {query.hasNextPage ? (
        <Center p="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('action.more')}
          </Button>
        </Center>
      ) : null}
    </>
  )
}
