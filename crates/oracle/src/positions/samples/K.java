class K {
    static int inner(String text) { return text.length(); }
    public static void main(String[] args) { System.out.println(inner(null)); }
}
