import { Outlet } from '@tanstack/react-router'
import { Suspense, useCallback, useState } from 'react'
import { useCurrentOrganization, useUser } from '../../data/session.ts'
import { cx } from '../../ui/class-names.ts'
import { usePageComponent } from '../page-identity.ts'
import { useReadOnly } from '../../lib/read-only.ts'
import { useShownPath } from '../../lib/shown-path.ts'
import { useSettled } from '../../data/use-settled.ts'
import { useEarlyKeys } from './early-keys.ts'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebarState } from './sidebar-state.ts'
import { focusSidebarSearch } from './sidebar-search.ts'
import { PendingLayer } from '../../ui/pending-layer.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { useStaleMark } from './use-stale-mark.ts'
import { useVisit } from './use-visit.ts'
import { VersionBadge } from './version-badge.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

const MobileSidebar = lazyPart(() => import('./mobile-sidebar.tsx'))
const Favicon = lazyPart(() => import('../favicon/favicon.tsx'))
const Shortcuts = lazyPart(() => import('../shortcuts.tsx'))
const Palette = lazyPart(() => import('./command-palette.tsx'))
const Annotations = lazyPart(() => import('../../features/annotations/annotations.tsx'))
const NoAnswerBand = lazyPart(() => import('../../features/live-status/no-answer-band.tsx'))
const UnreadNotice = lazyPart(() => import('../../features/live-status/unread-notice.tsx'))
const ImpersonationBanner = lazyPart(() => import('./impersonation-banner.tsx'))
const DemoBanner = lazyPart(() => import('./demo-banner.tsx'))
const IncidentGuide = lazyPart(() => import('../../features/demo/incident-guide.tsx'))
const DeletionBanner = lazyPart(() => import('./deletion-banner.tsx'))
const ReadOnlyBanner = lazyPart(() => import('./read-only-banner.tsx'))
const SecondFactorBanner = lazyPart(() => import('./second-factor-banner.tsx'))
const ShortcutSheet = lazyPart(() => import('./shortcut-sheet.tsx'))

/** Everything around a page of a signed-in user. */
export function Shell() {
  const path = useShownPath()
  const isMobile = useIsMobile()
  const [isExpanded, setExpanded] = useSidebarState()
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [areShortcutsOpen, setShortcutsOpen] = useState(false)

  const expand = useCallback(() => setExpanded(true), [setExpanded])
  const toggle = useCallback(() => {
    if (isMobile) setSheetOpen((open) => !open)
    else setExpanded(!isExpanded)
  }, [isMobile, isExpanded, setExpanded])
  const search = useCallback(() => {
    if (!isMobile) return focusSidebarSearch()
    setSheetOpen(true)
    // The slide-over has to be there before its search can take the focus.
    requestAnimationFrame(() => requestAnimationFrame(focusSidebarSearch))
  }, [isMobile])
  const togglePalette = useCallback(() => setPaletteOpen((open) => !open), [])
  const closePalette = useCallback(() => setPaletteOpen(false), [])
  const showShortcuts = useCallback(() => setShortcutsOpen(true), [])
  const closeShortcuts = useCallback(() => setShortcutsOpen(false), [])
  const closeSheet = useCallback(() => setSheetOpen(false), [])
  const isSettled = useSettled()
  useEarlyKeys()
  useStaleMark()
  useVisit()
  const isReadOnly = useReadOnly()
  const isImpersonated = useUser()?.impersonator !== undefined
  const organization = useCurrentOrganization()
  const isDemo = organization?.demoEndsAt !== undefined
  const isBeingDeleted = organization?.deletesAt !== undefined
  const isFactorAsked = organization?.secondFactorFrom !== undefined
  const guide =
    isDemo && isSettled ? (
      <Suspense fallback={null}>
        <IncidentGuide />
      </Suspense>
    ) : null
  const targets = { togglePalette, toggleSidebar: toggle, focusSearch: search, showShortcuts }

  return (
    // Positioned, so that it also clips what is positioned in it: hidden labels would widen a narrow page.
    <div className="relative flex h-[calc(100dvh-var(--developer-bar,0px))] overflow-hidden">
      <a
        href="#main"
        className="fixed top-2 left-2 z-[70] -translate-y-16 rounded-control bg-accent px-3 py-1.5 font-medium text-accent-label focus:translate-y-0"
      >
        Skip to content
      </a>
      {isMobile ? null : (
        <aside
          aria-label="Sidebar"
          className={cx(
            'shrink-0 overflow-hidden border-r border-line bg-sunken transition-[width] duration-200 ease-out',
            isExpanded ? 'w-[16rem]' : 'w-[3rem]',
          )}
        >
          <Sidebar path={path} isCollapsed={!isExpanded} onExpand={expand} />
        </aside>
      )}
      {isMobile && isSheetOpen ? (
        <Suspense fallback={<PendingLayer onCancel={closeSheet} />}>
          <MobileSidebar path={path} open={isSheetOpen} onOpenChange={setSheetOpen} />
        </Suspense>
      ) : null}
      <div className="flex min-w-0 flex-1 flex-col">
        {isSettled ? (
          <Suspense fallback={null}>
            <NoAnswerBand />
          </Suspense>
        ) : null}
        {isReadOnly ? (
          <Suspense fallback={null}>
            <ReadOnlyBanner />
          </Suspense>
        ) : null}
        {isImpersonated ? (
          <Suspense fallback={null}>
            <ImpersonationBanner />
          </Suspense>
        ) : null}
        {isDemo ? (
          <Suspense fallback={<div className="h-9 shrink-0 border-b border-line bg-info-soft" />}>
            <DemoBanner />
          </Suspense>
        ) : null}
        {isBeingDeleted ? (
          <Suspense fallback={null}>
            <DeletionBanner />
          </Suspense>
        ) : null}
        {isFactorAsked ? (
          <Suspense fallback={null}>
            <SecondFactorBanner />
          </Suspense>
        ) : null}
        <Header
          isMobile={isMobile}
          isExpanded={isExpanded}
          onToggleSidebar={toggle}
          onOpenPalette={togglePalette}
        />
        {/* At the foot of a phone's page its actions are within reach of the thumb. */}
        {isMobile ? guide : null}
        <main
          data-component={usePageComponent()}
          id="main"
          tabIndex={-1}
          className="flex min-h-0 flex-1 flex-col overflow-y-auto"
        >
          {isSettled ? (
            <Suspense fallback={null}>
              <UnreadNotice />
            </Suspense>
          ) : null}
          <Outlet />
        </main>
        {isMobile ? null : guide}
        <VersionBadge />
      </div>
      {isSettled ? (
        <>
          <Suspense fallback={null}>
            <Shortcuts {...targets} />
            <Favicon />
          </Suspense>
          {/* Within the live connection: what one writes waits while the page may be old. */}
          <Suspense fallback={null}>
            <Annotations />
          </Suspense>
        </>
      ) : null}
      {isSettled || isPaletteOpen ? (
        <Suspense fallback={isPaletteOpen ? <PendingLayer onCancel={closePalette} /> : null}>
          <Palette open={isPaletteOpen} onOpenChange={setPaletteOpen} targets={targets} />
        </Suspense>
      ) : null}
      {areShortcutsOpen ? (
        <Suspense fallback={<PendingLayer onCancel={closeShortcuts} />}>
          <ShortcutSheet onClose={closeShortcuts} />
        </Suspense>
      ) : null}
    </div>
  )
}
