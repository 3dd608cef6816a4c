CREATE TABLE "annotation_replies" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"annotation_id" uuid NOT NULL,
	"user_id" integer,
	"text" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "annotation_replies" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "annotations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" integer NOT NULL,
	"user_id" integer,
	"component_name" text NOT NULL,
	"xpath" text NOT NULL,
	"selected_text" text,
	"annotation_text" text NOT NULL,
	"url" text NOT NULL,
	"viewport" jsonb NOT NULL,
	"element_rect" jsonb NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" integer,
	"reply_count" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "annotations_organization_id_id_key" UNIQUE("organization_id","id"),
	CONSTRAINT "annotations_status_is_known" CHECK ("annotations"."status" in ('open', 'resolved'))
);
--> statement-breakpoint
ALTER TABLE "annotations" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "annotation_replies" ADD CONSTRAINT "annotation_replies_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotation_replies" ADD CONSTRAINT "annotation_replies_annotation_id_fk" FOREIGN KEY ("organization_id","annotation_id") REFERENCES "public"."annotations"("organization_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "annotations" ADD CONSTRAINT "annotations_resolved_by_users_id_fk" FOREIGN KEY ("resolved_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "annotation_replies_annotation_id_idx" ON "annotation_replies" USING btree ("organization_id","annotation_id","id");--> statement-breakpoint
CREATE INDEX "annotation_replies_user_id_idx" ON "annotation_replies" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "annotations_created_at_idx" ON "annotations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "annotations_updated_at_idx" ON "annotations" USING btree ("organization_id","updated_at","id");--> statement-breakpoint
CREATE INDEX "annotations_component_name_idx" ON "annotations" USING btree ("organization_id","component_name","id");--> statement-breakpoint
CREATE INDEX "annotations_url_idx" ON "annotations" USING btree ("organization_id","url","id");--> statement-breakpoint
CREATE INDEX "annotations_path_idx" ON "annotations" USING btree ("organization_id",split_part("url", '?', 1));--> statement-breakpoint
CREATE INDEX "annotations_user_id_idx" ON "annotations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "annotations_resolved_by_idx" ON "annotations" USING btree ("resolved_by");--> statement-breakpoint
CREATE POLICY "tenant" ON "annotation_replies" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "annotation_replies" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);--> statement-breakpoint
CREATE POLICY "tenant" ON "annotations" AS PERMISSIVE FOR ALL TO "bey_app" USING (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int)) WITH CHECK (organization_id = (select nullif(current_setting('bey.organization_id', true), '')::int));--> statement-breakpoint
CREATE POLICY "system" ON "annotations" AS PERMISSIVE FOR ALL TO current_user USING (true) WITH CHECK (true);