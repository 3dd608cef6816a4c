CREATE TABLE "notifications" (
	"organization_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"level" text NOT NULL,
	"title" text NOT NULL,
	"detail" text,
	"request_id" text,
	"href" text,
	"subject_type" text,
	"subject_id" text,
	"subject_name" text,
	"at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "notifications_organization_id_user_id_id_pk" PRIMARY KEY("organization_id","user_id","id"),
	CONSTRAINT "notifications_title_fits" CHECK (coalesce(char_length(title), 0) <= 200),
	CONSTRAINT "notifications_detail_fits" CHECK (coalesce(char_length(detail), 0) <= 1000),
	CONSTRAINT "notifications_request_id_fits" CHECK (coalesce(char_length(request_id), 0) <= 100),
	CONSTRAINT "notifications_href_fits" CHECK (coalesce(char_length(href), 0) <= 300)
);
--> statement-breakpoint
ALTER TABLE "notifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_membership_fk" FOREIGN KEY ("organization_id","user_id") REFERENCES "public"."memberships"("organization_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_at_idx" ON "notifications" USING btree ("organization_id","user_id","at","id");--> statement-breakpoint
CREATE INDEX "notifications_unread_idx" ON "notifications" USING btree ("organization_id","user_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_age_idx" ON "notifications" USING btree ("at");--> statement-breakpoint
CREATE POLICY "own_read" ON "notifications" AS PERMISSIVE FOR SELECT TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "own_update" ON "notifications" AS PERMISSIVE FOR UPDATE TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "own_delete" ON "notifications" AS PERMISSIVE FOR DELETE TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and user_id = (select nullif(current_setting('bey.user_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "told" ON "notifications" AS PERMISSIVE FOR INSERT TO "bey_app" WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int) and ((select nullif(current_setting('bey.user_id', true), '')::int) is null or user_id = (select nullif(current_setting('bey.user_id', true), '')::int)));--> statement-breakpoint
CREATE POLICY "system" ON "notifications" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);