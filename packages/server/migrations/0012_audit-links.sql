CREATE SEQUENCE "public"."audit_numbers" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "audit_links" (
	"organization_id" integer NOT NULL,
	"position" bigint NOT NULL,
	"entry_seq" bigint NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	"prev_hash" "bytea" NOT NULL,
	"hash" "bytea" NOT NULL,
	CONSTRAINT "audit_links_organization_id_position_pk" PRIMARY KEY("organization_id","position"),
	CONSTRAINT "audit_links_entry_key" UNIQUE("organization_id","entry_seq")
);
--> statement-breakpoint
ALTER TABLE "audit_links" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "audit_pending" (
	"organization_id" integer NOT NULL,
	"seq" bigint NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	CONSTRAINT "audit_pending_organization_id_seq_pk" PRIMARY KEY("organization_id","seq")
);
--> statement-breakpoint
ALTER TABLE "audit_pending" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "intent_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_entries_intent_idx" ON "audit_entries" USING btree ("organization_id","intent_id") WHERE intent_id is not null;--> statement-breakpoint
CREATE INDEX "audit_entries_unknown_idx" ON "audit_entries" USING btree ("organization_id","seq") WHERE outcome = 'unknown';--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_links" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_links" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "audit_pending" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "audit_pending" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
-- Entries that were chained directly wait for their link like new ones; the first link starts from the end of their chain.
SELECT setval('audit_numbers', (SELECT coalesce(max(seq), 0) + 1 FROM "audit_entries"), false);--> statement-breakpoint
INSERT INTO "audit_pending" ("organization_id", "seq", "entry_hash") SELECT "organization_id", "seq", "hash" FROM "audit_entries";--> statement-breakpoint
UPDATE "audit_heads" SET "seq" = 0;
