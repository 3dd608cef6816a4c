ALTER TABLE "workflows" DROP COLUMN "last_run_id";--> statement-breakpoint
ALTER TABLE "workflows" DROP COLUMN "last_run_at";--> statement-breakpoint
ALTER TABLE "workflows" DROP COLUMN "last_run_status";