import Toaster from '../ui/toaster.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'
// At hand before it is needed: what breaks a page may also keep it from loading.
import './pages/error-page.tsx'

/** What floats above every page and is not needed before the first one stands. */
export default function Overlays() {
  return (
    <>
      <TooltipLayer />
      <Toaster />
    </>
  )
}
