ALTER TABLE "workflow_runs" ADD COLUMN "author_key_ids" uuid[] DEFAULT '{}'::uuid[] NOT NULL;--> statement-breakpoint
ALTER TABLE "workflow_versions" ADD COLUMN "key_id" uuid;