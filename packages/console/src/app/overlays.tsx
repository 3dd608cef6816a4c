import Toaster from '../ui/toaster.tsx'
import { TooltipLayer } from '../ui/tooltip.tsx'

/** What floats above every page and is not needed before the first one stands. */
export default function Overlays() {
  return (
    <>
      <TooltipLayer />
      <Toaster />
    </>
  )
}
