DROP INDEX "secrets_next_rotation_at_idx";--> statement-breakpoint
ALTER TABLE "secret_versions" ADD COLUMN "live_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotation_failure" text;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotation_failed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotation_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "secrets" ADD COLUMN "rotation_retry_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "secret_versions_live_until_idx" ON "secret_versions" USING btree ("live_until") WHERE "secret_versions"."live_until" is not null;--> statement-breakpoint
CREATE INDEX "secrets_rotation_due_idx" ON "secrets" USING btree (coalesce("rotation_retry_at", "next_rotation_at")) WHERE "secrets"."next_rotation_at" is not null;--> statement-breakpoint
ALTER TABLE "secrets" ADD CONSTRAINT "secrets_failed_rotation_is_tried_again" CHECK (("secrets"."rotation_failure" is null) = ("secrets"."rotation_retry_at" is null)
        and ("secrets"."rotation_failure" is null) = ("secrets"."rotation_failed_at" is null));