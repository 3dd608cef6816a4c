import shop from './shop.yaml?raw'
import queue from './queue.yaml?raw'
import nightly from './nightly.yaml?raw'
import store from './store.yaml?raw'
import objects from './objects.yaml?raw'
import crashing from './crashing.yaml?raw'
import type { Sample } from './sample-list.ts'

/** The manifest of each sample, a file of the repository that kubectl takes too. */
export const sampleManifests: Readonly<Record<Sample['id'], string>> = {
  shop,
  queue,
  nightly,
  store,
  objects,
  crashing,
}
