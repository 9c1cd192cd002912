/** Lists loaded page by page. */
import { Button, Center } from '@mantine/core'
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { call, Problem } from './api.ts'
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

/** A page with filters may be short. Up to this many pages are read without asking, until this many items are shown. */
const pagesReadOnMax = 20
const itemsShownMin = 10

/** Shows a list as loading, failed, empty or loaded, with a button for the next page. */
export function Pages<Item>(props: {
  query: UseInfiniteQueryResult<InfiniteData<ReadPage<Item>>>
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}) {
  const { query } = props
  const { fetchNextPage, hasNextPage, isFetching, isError } = query
  const pages = query.data?.pages ?? []
  const items = pages.flatMap((page) => page.items)
  const readsOn = hasNextPage && !isError && items.length < itemsShownMin && pages.length < pagesReadOnMax
  useEffect(() => {
    if (readsOn && !isFetching) void fetchNextPage()
  }, [readsOn, isFetching, fetchNextPage])
  if (query.data === undefined) {
    if (!isError) return <Waiting />
    return isNothing(query.error) ? (
      props.empty
    ) : (
      <Failure error={query.error} onRetry={() => void query.refetch()} />
    )
  }
  return (
    <>
      {items.length > 0 ? props.children(items) : hasNextPage ? null : props.empty}
      {isError ? <Failure error={query.error} onRetry={() => void fetchNextPage()} /> : null}
      {hasNextPage ? (
        <Center p="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage || readsOn}
            onClick={() => void fetchNextPage()}
          >
            {items.length < itemsShownMin ? t('pages.searchOn') : t('action.more')}
          </Button>
        </Center>
      ) : null}
    </>
  )
}

/** A filter by something that does not exist finds nothing. */
function isNothing(error: unknown): boolean {
  return (
    error instanceof Problem &&
    ['player_not_found', 'wheel_not_found', 'campaign_not_found'].includes(error.code)
  )
}
