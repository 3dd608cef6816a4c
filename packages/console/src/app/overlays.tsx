import { Suspense, useEffect } from 'react'
import { useUser } from '../data/session.ts'
import { useIsConfirmationAsked } from '../data/step-up.ts'
import { BarLoading } from '../features/developer/bar-frame.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { RoleLayer } from './role-layer.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { SessionWatch } from './session-watch.ts'
// Hears of errors from here on, and of what led to them.
import '../features/error-log/reporting/reporter.ts'
import { lazyPart } from '../lib/lazy-part.ts'
import Toaster from '../ui/toaster.tsx'
import { SettingsSync } from '../features/theming/settings-sync.tsx'
import { loadDialogs } from '../ui/dialog.tsx'
import { loadMenus } from '../ui/menu.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'
// At hand before they are needed: what breaks a page or ends the connection may also keep them from loading.
import './pages/error-page.tsx'
import '../features/live-status/status-dialog.tsx'
import '../features/live-status/no-answer-band.tsx'
import '../features/live-status/unread-notice.tsx'
import '../features/notifications/panel.tsx'
import './shell/shortcut-sheet.tsx'
import './switcher/service-switcher.tsx'

const StepUpDialog = lazyPart(() => import('../features/auth/step-up-dialog.tsx'))
const DeveloperTools = lazyPart(() => import('../features/developer/developer-tools.tsx'))

/** Layers above every page, which are not needed before the first page is shown. */
export default function Overlays() {
  const isConfirmationAsked = useIsConfirmationAsked()
  const isDeveloper = useUser()?.isDeveloper === true
  useEffect(() => {
    void loadMenus()
    void loadDialogs()
  }, [])
  return (
    <>
      <TooltipLayer />
      <Toaster />
      <SessionWatch />
      <SessionDialog />
      <LeaveDialog />
      <RoleLayer />
      {isConfirmationAsked ? (
        <Suspense fallback={null}>
          <StepUpDialog />
        </Suspense>
      ) : null}
      <SettingsSync />
      {isDeveloper ? (
        <Suspense fallback={<BarLoading />}>
          <DeveloperTools />
        </Suspense>
      ) : null}
    </>
  )
}
