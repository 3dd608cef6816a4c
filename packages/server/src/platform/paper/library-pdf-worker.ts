import { parentPort, workerData } from 'node:worker_threads'
import type { PdfOrder } from './library-pdf.ts'
import { drawPaper } from './draw-paper.ts'

// The thread is started with an order of this type and nothing else.
const order = workerData as PdfOrder
parentPort?.postMessage(await drawPaper(order))
