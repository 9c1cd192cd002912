/** The routes: which view a URL shows. Views are loaded when first opened. */
import { Center, Loader } from '@mantine/core'
import { type ComponentType, useEffect } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { lazyComponent } from './parts/lazy-component.tsx'
import { fromPathPart } from './parts/path-part.ts'
import { Failure } from './parts/states.tsx'
import {
  MerchantProvider,
  type MerchantRole,
  type Session,
  SessionProvider,
  useSessionQuery,
} from './session.tsx'
import { Shell } from './shell.tsx'
import { t } from './texts.ts'
import { NoMerchant } from './views/no-merchant.tsx'
import { NoView } from './views/no-view.tsx'
import { SignIn } from './views/sign-in.tsx'
import { Welcome } from './views/welcome.tsx'

const Campaigns = view(() => import('./views/campaigns.tsx').then((m) => m.Campaigns))
// Most people start here, so it is loaded while the session is still being checked.
if (/^\/console(\/m\/[^/]+)?\/?$/.test(location.pathname)) void Campaigns.load().catch(() => undefined)

const Overview = view(() => import('./views/overview.tsx').then((m) => m.Overview))
const Campaign = view(() => import('./views/campaign.tsx').then((m) => m.CampaignView))
const Wheels = view(() => import('./views/wheels.tsx').then((m) => m.Wheels))
const WheelEditor = view(() => import('./views/editor/wheel-editor.tsx').then((m) => m.WheelEditor))
const PaceStatement = view(() => import('./views/pace-statement.tsx').then((m) => m.PaceStatement))
const Players = view(() => import('./views/players.tsx').then((m) => m.Players))
const Player = view(() => import('./views/player.tsx').then((m) => m.PlayerView))
const Reports = view(() => import('./views/reports.tsx').then((m) => m.Reports))
const Prizes = view(() => import('./views/prizes.tsx').then((m) => m.Prizes))
const Counter = view(() => import('./views/till/counter.tsx').then((m) => m.Counter))
const Plays = view(() => import('./views/plays.tsx').then((m) => m.Plays))
const Codes = view(() => import('./views/codes.tsx').then((m) => m.Codes))
const Import = view(() => import('./views/import/import.tsx').then((m) => m.ImportGrants))
const Messages = view(() => import('./views/messages.tsx').then((m) => m.Messages))
const LinkLists = view(() => import('./views/link-lists/link-lists.tsx').then((m) => m.LinkLists))
const Developers = view(() => import('./views/developers.tsx').then((m) => m.Developers))
const Settings = view(() => import('./views/settings.tsx').then((m) => m.Settings))
const Merchants = view(() => import('./views/merchants.tsx').then((m) => m.Merchants))
const Suspended = view(() => import('./views/suspended.tsx').then((m) => m.Suspended))
const Account = view(() => import('./views/account.tsx').then((m) => m.Account))

/** The views of one merchant, below its URL. */
const plainViews = [
  { path: '/campaigns', title: 'nav.campaigns', Shown: Campaigns },
  { path: '/overview', title: 'nav.overview', Shown: Overview },
  { path: '/reports', title: 'nav.reports', Shown: Reports },
  { path: '/wheels', title: 'nav.wheels', Shown: Wheels },
  { path: '/players', title: 'nav.players', Shown: Players },
  { path: '/prizes', title: 'nav.prizes', Shown: Prizes },
  { path: '/plays', title: 'nav.plays', Shown: Plays },
  { path: '/codes', title: 'nav.codes', Shown: Codes },
  { path: '/import', title: 'nav.import', Shown: Import },
  { path: '/link-lists', title: 'nav.links', Shown: LinkLists },
  { path: '/messages', title: 'nav.messages', Shown: Messages },
  { path: '/developers', title: 'nav.developers', Shown: Developers },
  { path: '/settings', title: 'nav.settings', Shown: Settings },
] as const

function view<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazyComponent(load, () => <Pending />)
}

export function App() {
  const session = useSessionQuery()
  const [path] = useLocation()
  if (path === '/welcome') return <Welcome />
  // A known session stays: checking it again without a connection must not close what is being edited.
  if (session.data === undefined) {
    if (!session.isError) return <Pending />
    return <Failure error={session.error} onRetry={() => void session.refetch()} />
  }
  if (session.data === null) return <SignIn />
  return (
    <SessionProvider session={session.data}>
      <SignedIn session={session.data} />
    </SessionProvider>
  )
}

function SignedIn({ session }: { session: Session }) {
  const [first, ...others] = session.merchants.filter(({ live }) => live)
  const isAtHome = first !== undefined && (others.length === 0 || !session.staff.isOperator)
  const home = isAtHome ? `/m/${first.merchant}` : session.staff.isOperator ? '/merchants' : undefined
  return (
    <Switch>
      <Route path="/account">
        <Shell>
          <View title={t('account.title')}>
            <Account />
          </View>
        </Shell>
      </Route>
      {session.staff.isOperator ? (
        <Route path="/merchants">
          <Shell>
            <View title={t('merchants.title')}>
              <Merchants />
            </View>
          </Shell>
        </Route>
      ) : null}
      <Route path="/m/:merchant/*?">
        {({ merchant }) => <OfMerchant key={merchant} session={session} slug={merchant} />}
      </Route>
      <Route>{home === undefined ? <NoMerchant /> : <Redirect to={home} replace />}</Route>
    </Switch>
  )
}

function OfMerchant({ session, slug }: { session: Session; slug: string }) {
  const merchant = session.merchants.find((one) => one.merchant === slug)
  if (merchant === undefined) return <NoMerchant />
  if (merchant.isSuspended)
    return (
      <MerchantProvider merchant={merchant}>
        <Shell merchant={merchant}>
          <View title={merchant.name}>
            <Suspended />
          </View>
        </Shell>
      </MerchantProvider>
    )
  return (
    <MerchantProvider merchant={merchant}>
      <Switch>
        <Route path="/m/:merchant/till">
          <View title={t('till.title')}>
            <Counter />
          </View>
        </Route>
        <Route>
          <InShell merchant={merchant} />
        </Route>
      </Switch>
    </MerchantProvider>
  )
}

function InShell({ merchant }: { merchant: MerchantRole }) {
  return (
    <Shell merchant={merchant}>
      <Switch>
        {plainViews.map(({ path, title, Shown }) => (
          <Route key={path} path={`/m/:merchant${path}`}>
            <View title={t(title)}>
              <Shown />
            </View>
          </Route>
        ))}
        <Route path="/m/:merchant/campaigns/:campaign">
          {({ campaign }) => (
            <View title={campaign}>
              <Campaign key={campaign} slug={campaign} />
            </View>
          )}
        </Route>
        <Route path="/m/:merchant/wheels/:wheel">
          {({ wheel }) => (
            <View title={wheel}>
              <WheelEditor key={wheel} slug={wheel} />
            </View>
          )}
        </Route>
        <Route path="/m/:merchant/wheels/:wheel/statements/:prize">
          {({ wheel, prize }) => (
            <View title={t('statement.title', { wheel, prize: fromPathPart(prize) })}>
              <PaceStatement wheel={wheel} prizeId={fromPathPart(prize)} />
            </View>
          )}
        </Route>
        <Route path="/m/:merchant/players/:player">
          {({ player }) => (
            <View title={fromPathPart(player)}>
              <Player key={player} playerId={fromPathPart(player)} />
            </View>
          )}
        </Route>
        <Route path="/m/:merchant">
          <Redirect to={`/m/${merchant.merchant}/campaigns`} replace />
        </Route>
        <Route>
          <View title={t('address.none')}>
            <NoView />
          </View>
        </Route>
      </Switch>
    </Shell>
  )
}

/** Sets the title of the browser tab. */
function View({ title, children }: { title: string; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Wheelhouse`
  }, [title])
  return children
}

function Pending() {
  return (
    <Center h="60vh" role="status" aria-label={t('state.loading')}>
      <Loader />
    </Center>
  )
}
