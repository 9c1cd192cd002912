/** The frame around every view: navigation, merchant and account menu. */
import {
  ActionIcon,
  AppShell,
  Avatar,
  Box,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Select,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon, type IconName, Logo } from './parts/icons.tsx'
import { tellProblem } from './parts/notify.ts'
import { useSignOut } from './parts/sign-out.ts'
import { type MerchantRole, useSession } from './session.tsx'
import { ZoneNote } from './parts/zone-note.tsx'
import { formatFor, t, type TextKey } from './texts.ts'
import { ModeSwitch } from './views/test-mode/mode-switch.tsx'
import { otherMode } from './views/test-mode/other-mode.ts'
import { TestBar } from './views/test-mode/test-bar.tsx'

type Entry = { to: string; icon: IconName; text: TextKey }
const groups: { title: TextKey | null; entries: Entry[] }[] = [
  {
    title: null,
    entries: [
      { to: '/campaigns', icon: 'calendar', text: 'nav.campaigns' },
      { to: '/overview', icon: 'overview', text: 'nav.overview' },
      { to: '/reports', icon: 'chart', text: 'nav.reports' },
    ],
  },
  {
    title: 'nav.game',
    entries: [
      { to: '/wheels', icon: 'wheel', text: 'nav.wheels' },
      { to: '/codes', icon: 'codes', text: 'nav.codes' },
    ],
  },
  {
    title: 'nav.people',
    entries: [
      { to: '/players', icon: 'players', text: 'nav.players' },
      { to: '/prizes', icon: 'prizes', text: 'nav.prizes' },
      { to: '/plays', icon: 'history', text: 'nav.plays' },
      { to: '/import', icon: 'import', text: 'nav.import' },
      { to: '/link-lists', icon: 'link', text: 'nav.links' },
      { to: '/messages', icon: 'mail', text: 'nav.messages' },
    ],
  },
  {
    title: 'nav.setUp',
    entries: [
      { to: '/developers', icon: 'developers', text: 'nav.developers' },
      { to: '/settings', icon: 'settings', text: 'nav.settings' },
    ],
  },
]

export function Shell({ merchant, children }: { merchant?: MerchantRole; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure()
  const [path] = useLocation()
  if (merchant === undefined) formatFor(undefined)
  // On a phone the menu covers the view, so choosing a view closes it.
  useEffect(close, [path, close])
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, md: 0 } }}
      navbar={{ width: 250, breakpoint: 'md', collapsed: { mobile: !opened } }}
      transitionDuration={0}
    >
      <a className="skip" href="#view">
        {t('nav.skip')}
      </a>
      <AppShell.Header className="shell-header" hiddenFrom="md">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={t('nav.menu')} />
          <Logo size={24} />
          <Text fw={650} truncate>
            {merchant?.name ?? 'Wheelhouse'}
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="shell-navbar" aria-label={t('nav.label')}>
        <Group px="md" pt="md" pb="xs" gap="xs" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Logo />
            <Text fw={700} fz="lg" lts="-0.02em">
              Wheelhouse
            </Text>
          </Group>
          <Burger hiddenFrom="md" opened={opened} onClick={toggle} size="sm" aria-label={t('nav.close')} />
        </Group>
        <MerchantSwitch merchant={merchant} />
        {merchant === undefined ? null : <ModeSwitch merchant={merchant} />}
        <ScrollArea style={{ flex: 1 }} px="xs" type="auto">
          {merchant === undefined ? null : <Entries merchant={merchant} path={path} />}
          <OperatorEntries path={path} />
        </ScrollArea>
        <Person />
        <Build />
      </AppShell.Navbar>
      <AppShell.Main id="view" tabIndex={-1} style={{ outline: 'none' }}>
        {merchant === undefined || merchant.live || merchant.isSuspended ? null : <TestBar />}
        <Box className="page">
          <ZoneNote />
          {children}
        </Box>
      </AppShell.Main>
    </AppShell>
  )
}

function Entries({ merchant, path }: { merchant: MerchantRole; path: string }) {
  const base = `/m/${merchant.merchant}`
  return (
    <>
      {groups.map((group) => (
        <div key={group.title ?? 'first'}>
          {group.title === null ? null : <div className="nav-group">{t(group.title)}</div>}
          {group.entries
            .filter(({ to }) => to !== '/import' || merchant.role !== 'viewer')
            .map((entry) => {
              const to = `${base}${entry.to}`
              const isHere = path === to || path.startsWith(`${to}/`)
              return (
                <Link
                  key={entry.to}
                  href={to}
                  className="nav-link"
                  aria-current={isHere ? 'page' : undefined}
                >
                  <Icon name={entry.icon} />
                  {t(entry.text)}
                </Link>
              )
            })}
        </div>
      ))}
    </>
  )
}

function OperatorEntries({ path }: { path: string }) {
  const { staff } = useSession()
  if (!staff.isOperator) return null
  return (
    <>
      <div className="nav-group">{t('role.operator')}</div>
      <Link href="/merchants" className="nav-link" aria-current={path === '/merchants' ? 'page' : undefined}>
        <Icon name="shop" />
        {t('merchants.title')}
      </Link>
    </>
  )
}

function MerchantSwitch({ merchant }: { merchant: MerchantRole | undefined }) {
  const { merchants } = useSession()
  const [, go] = useLocation()
  const chosen = merchant && (merchant.live ? merchant.merchant : otherMode(merchant))
  if (merchants.length === 0) return null
  return (
    <Box px="sm" py="xs">
      <Select
        aria-label={t('nav.merchant')}
        data={merchants.filter(({ live }) => live).map((one) => ({ value: one.merchant, label: one.name }))}
        value={chosen ?? null}
        placeholder={t('nav.merchant')}
        onChange={(slug) => slug !== null && go(`/m/${slug}`)}
        searchable={merchants.length > 8}
        selectFirstOptionOnChange
        allowDeselect={false}
        leftSection={<Icon name="shop" size={16} />}
        comboboxProps={{ withinPortal: true }}
        {...(merchant === undefined
          ? {}
          : { description: t(`role.${merchant.role}`), inputWrapperOrder: ['input', 'description'] })}
      />
    </Box>
  )
}

/** For questions to the operator of the server. */
function Build() {
  const { build } = useSession()
  return (
    <Text component="footer" size="xs" c="dimmed" px="md" pb="xs">
      Wheelhouse {build}
    </Text>
  )
}

function Person() {
  const { staff } = useSession()
  const [, go] = useLocation()
  const signOut = useSignOut('/')
  return (
    <Group p="sm" gap="xs" wrap="nowrap" style={{ borderTop: '1px solid var(--line)' }}>
      <Menu position="top-start" width={220} withinPortal>
        <Menu.Target>
          <UnstyledButton style={{ flex: 1, minWidth: 0 }}>
            <Group gap="xs" wrap="nowrap">
              <Avatar radius="xl" size={34} color="brand" name={staff.name} alt="" aria-hidden="true" />
              <div style={{ minWidth: 0 }}>
                <Text size="sm" fw={600} truncate>
                  {staff.name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {staff.isOperator ? t('role.operator') : staff.email}
                </Text>
              </div>
            </Group>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{staff.email}</Menu.Label>
          <Menu.Item leftSection={<Icon name="user" size={16} />} onClick={() => go('/account')}>
            {t('account.title')}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="book" size={16} />} component="a" href="/docs">
            {t('nav.reference')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="out" size={16} />}
            onClick={() => void signOut().catch(tellProblem)}
          >
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <SchemeToggle />
    </Group>
  )
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const other = scheme === 'dark' ? 'light' : 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      onClick={() => setColorScheme(other)}
      aria-label={t(other === 'dark' ? 'appearance.toDark' : 'appearance.toLight')}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}
