/** What a shop tells its customers, in languages of many scripts: how a password is changed, goods are sent back, and a parcel is followed. */
export const TEXTS: Readonly<Record<string, readonly [password: string, returns: string, parcel: string]>> = {
  am: ["የይለፍ ቃልዎን በቅንብሮች ገጽ መቀየር ይችላሉ።", "ዕቃዎችን በሠላሳ ቀናት ውስጥ መመለስ ይቻላል።", "ጥቅሉ የት እንዳለ በመከታተያ ቁጥሩ ያያሉ።"],
  ar: [
    "يمكنك تغيير كلمة المرور في صفحة الإعدادات.",
    "يمكن إرجاع المنتجات خلال ثلاثين يوما من الشراء.",
    "يظهر مكان الطرد عند إدخال رقم التتبع؟",
  ],
  de: [
    "Das Passwort ändern Sie auf der Seite mit den Einstellungen.",
    "Rücksendungen sind innerhalb von dreißig Tagen möglich.",
    "Wo Ihr Paket ist, zeigt die Sendungsverfolgung.",
  ],
  el: [
    "Αλλάζετε τον κωδικό στη σελίδα με τις ρυθμίσεις.",
    "Οι επιστροφές γίνονται μέσα σε τριάντα ημέρες.",
    "Το δέμα φαίνεται με τον αριθμό παρακολούθησης.",
  ],
  es: [
    "La contraseña se cambia en la página de configuración.",
    "Las devoluciones se aceptan durante treinta días.",
    "El paquete se sigue con su número de envío.",
  ],
  fi: [
    "Salasana vaihdetaan asetusten sivulla.",
    "Palautukset tehdään kolmenkymmenen päivän kuluessa.",
    "Paketin sijainti näkyy seurantakoodilla.",
  ],
  fr: [
    "L’utilisateur change son mot de passe dans les réglages.",
    "Les retours sont acceptés pendant trente jours.",
    "Le colis se suit avec son numéro d’expédition.",
  ],
  he: ["אפשר לשנות סיסמה בעמוד ההגדרות.", "החזרות מתקבלות בתוך שלושים ימים.", "מיקום החבילה מופיע לפי מספר המעקב."],
  hi: [
    "पासवर्ड सेटिंग वाले पृष्ठ पर बदला जाता है।",
    "खरीदा हुआ सामान तीस दिनों में लौटाया जाता है।",
    "पार्सल कहाँ है यह ट्रैकिंग नंबर बताता है।",
  ],
  hy: [
    "Գաղտնաբառը փոխվում է կարգավորումների էջում։",
    "Վերադարձն ընդունվում է երեսուն օրվա ընթացքում։",
    "Ծանրոցը երևում է հետևելու համարով։",
  ],
  ja: [
    "パスワードは設定のページで変更できます。",
    "返品は購入から三十日以内に受け付けます。",
    "荷物の場所は追跡番号で確認できます。",
  ],
  ka: [
    "პაროლი იცვლება პარამეტრების გვერდზე.",
    "დაბრუნება შესაძლებელია ოცდაათი დღის განმავლობაში.",
    "ამანათი ჩანს თვალყურის ნომრით.",
  ],
  ko: [
    "비밀번호는 설정 화면에서 변경할 수 있습니다.",
    "반품은 구매 후 삼십일 안에 가능합니다.",
    "택배 위치는 운송장 번호로 확인합니다.",
  ],
  pl: [
    "Hasło zmienia się na stronie ustawień.",
    "Zwroty przyjmujemy przez trzydzieści dni.",
    "Przesyłkę można śledzić według numeru.",
  ],
  ru: [
    "Пароль меняется на странице настроек.",
    "Возврат товара возможен в течение тридцати дней.",
    "Посылка отслеживается по номеру отправления.",
  ],
  ta: [
    "கடவுச்சொல்லை அமைப்புகள் பக்கத்தில் மாற்றலாம்.",
    "பொருட்களை முப்பது நாட்களுக்குள் திருப்பி அனுப்பலாம்.",
    "பொதி எங்கே உள்ளது என்பதை எண் காட்டும்.",
  ],
  th: ["เปลี่ยนรหัสผ่านได้ในหน้าการตั้งค่า", "ส่งคืนสินค้าได้ภายในสามสิบวัน", "ติดตามพัสดุด้วยหมายเลขขนส่ง"],
  tr: [
    "Şifre ayarlar sayfasında değiştirilir.",
    "İADELER otuz gün içinde kabul edilir.",
    "Kargonun yeri takip numarasıyla görünür.",
  ],
  vi: [
    "Bạn đổi mật khẩu trong trang cài đặt.",
    "Hàng được trả lại trong vòng ba mươi ngày.",
    "Bưu kiện được theo dõi bằng mã vận đơn.",
  ],
  zh: ["您可以在设置页面更改密码。", "商品可在购买后三十天内退货。", "包裹的位置可用运单号查询。"],
};

/** A word of each text that stands in no other of them, typed with one mistake, and not to its end. */
export const TYPED: Readonly<Record<string, readonly (readonly [mistyped: string, unfinished: string])[]>> = {
  ar: [["المورر", "الإعدا"]],
  de: [
    ["Passwrot", "Passwo"],
    ["Rücksnedungen", "rueckse"],
  ],
  el: [
    ["κωδκιό", "κωδι"],
    ["επιστρφοές", "επιστρ"],
  ],
  es: [
    ["contraseñaa", "contras"],
    ["devoluciunes", "devoluc"],
  ],
  fi: [["salasaan", "salas"]],
  fr: [["utilisatuer", "utilisat"]],
  he: [["סיסהמ", "סיס"]],
  hi: [["पासवरड", "पासव"]],
  hy: [["Գաղտանբառը", "գաղտ"]],
  ka: [["პაროოლი", "პარო"]],
  pl: [
    ["haslło", "has"],
    ["zwwroty", "zwro"],
  ],
  ru: [
    ["праоль", "паро"],
    ["возварт", "возв"],
  ],
  ta: [["கடவுசசொல்லை", "கடவுச்"]],
  tr: [
    ["şifer", "sifr"],
    ["iadeeler", "iade"],
  ],
  vi: [
    ["khẩuu", "khẩ"],
    ["mưoi", "trả l"],
  ],
};

/** More mistakes, wherever they lead. */
export const MORE_TYPED: Readonly<Record<string, readonly string[]>> = {
  de: ["Sendung", "Verfolgung", "Einstelungen", "ruecksendung", "Paketsendung"],
  fi: ["seurantakoodi", "palautuss"],
  vi: ["vongg", "khâu", "kiênj"],
};

/** Texts that languages do not cut into words alike: half-spaces and quotes within words, capitals with dots, words of several languages. */
export const WRITTEN_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  en: ["The button 退货政策 and the tab ご利用ガイド aren't shown until the customer's order can't be changed."],
  fa: ["شما می‌خواهید گزینه‌ها را در صفحهٔ تنظیمات ببینید و گذرواژه‌تان را عوض کنید."],
  fr: ["Qu’est-ce que l’on doit faire aujourd’hui lorsque l’adresse de l’acheteur n’est plus valable ?"],
  he: ["המע״מ נכלל במחיר, וצ׳ק אינו אמצעי תשלום שמתקבל בחנויות צה״ל."],
  ps: ["تاسو کولی شئ خپل پټ‌نوم د امستنو په پاڼه کې بدل کړئ او خبرتیا‌وې وګورئ."],
  tr: ["İSTANBUL'DAKİ ISPARTA ÜRÜNLERİNİN İADESİ İÇİN MÜŞTERİ HİZMETLERİNİ ARAYINIZ."],
  ur: ["آپ اپنا پاس‌ورڈ ترتیبات کے صفحے پر بدل سکتے ہیں اور خریدی ہوئی چیزیں واپس کر سکتے ہیں۔"],
};
