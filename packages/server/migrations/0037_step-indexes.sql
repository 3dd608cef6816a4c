DROP INDEX "step_runs_wait_event_idx";--> statement-breakpoint
DROP INDEX "step_runs_concurrency_idx";--> statement-breakpoint
ALTER TABLE "step_runs" ADD COLUMN "waits_for" text;--> statement-breakpoint
CREATE INDEX "step_runs_waits_for_idx" ON "step_runs" USING btree ("organization_id","waits_for") WHERE "step_runs"."waits_for" is not null;--> statement-breakpoint
CREATE INDEX "step_runs_concurrency_idx" ON "step_runs" USING btree ("organization_id","concurrency_key") WHERE "step_runs"."concurrency_key" is not null;--> statement-breakpoint
UPDATE "step_runs" SET "waits_for" = "input" ->> 'event' WHERE "type" = 'wait_event' AND "status" = 'waiting';--> statement-breakpoint
UPDATE "step_runs" SET "concurrency_key" = null WHERE "concurrency_key" IS NOT NULL AND "finished_at" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "step_runs" SET (fillfactor = 70);
